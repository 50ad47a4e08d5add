"""Addresses of the tablet: one screen, its stream, and an address for each act."""

from django.urls import path

from tables.tablet import deeds, forms
from tables.tablet.views import act, buy_in, events, hands, screen, take_seat

app_name = "tablet"
urlpatterns = [
    path("", screen, name="screen"),
    path("events/", events, name="events"),
    path("open/", act(deeds.open_table), name="open"),
    path("open/abort/", act(deeds.abort), name="abort"),
    path("open/confirm/", act(deeds.confirm_opening, forms.ReasonForm), name="confirm-opening"),
    path("count/", act(deeds.count, forms.CountForm), name="count"),
    path("count/witness/", act(deeds.witness, forms.WitnessForm), name="witness"),
    path("close/", act(deeds.end_play), name="close"),
    path("close/resume/", act(deeds.resume), name="resume"),
    path("close/accept/", act(deeds.accept_closing), name="accept-closing"),
    path("seat/", take_seat, name="seat"),
    path("seat/leave/", act(deeds.leave, forms.SeatForm), name="leave"),
    path("buy-in/", buy_in, name="buy-in"),
    path("buy-in/void/", act(deeds.take_back_buy_in, forms.VoidBuyInForm), name="void-buy-in"),
    path("wager/", act(deeds.wager, forms.WagerForm), name="wager"),
    path("wager/withdraw/", act(deeds.withdraw, forms.SeatForm), name="withdraw"),
    path("wager/repeat/", act(deeds.repeat), name="repeat"),
    path("round/lock/", act(deeds.lock, forms.RoundForm), name="lock"),
    path("round/hands/", hands, name="hands"),
    path("round/house-way/", act(deeds.set_house_way, forms.RoundSeatForm), name="house-way"),
    path("round/result/", act(deeds.enter_result, forms.ResultForm), name="result"),
    path("round/settle/", act(deeds.settle, forms.RoundForm), name="settle"),
    path("round/next/", act(deeds.next_round, forms.RoundForm), name="next"),
    path("round/void/", act(deeds.void, forms.VoidForm), name="void"),
]
