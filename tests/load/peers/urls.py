"""Neither peer's pages are served; Django asks for a module all the same."""

urlpatterns: list[object] = []
