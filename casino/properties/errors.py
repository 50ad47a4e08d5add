"""What a caller may get wrong about the property and its settings.

Refusal
└── PropertyRefusal
    ├── UnknownSettingError     no setting of that name exists
    ├── SettingValueError       the setting cannot have that value
    ├── SettingDayError         the change would rewrite a day that has begun
    ├── SettingApprovalError    a money setting needs a second person
    ├── PropertyCodeError       a property of that code stands already
    └── CalendarError           a zone, day start or shift table that no clock can follow
"""

from __future__ import annotations

from casino.web.errors import Refusal


class PropertyRefusal(Refusal):
    """Something about the property itself was refused."""

    status = 422


class UnknownSettingError(PropertyRefusal):
    """No setting of that name exists."""

    code = "unknown_setting"
    title = "No setting has that name"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no setting named {name!r}", pointer="/name")
        self.name = name


class SettingValueError(PropertyRefusal):
    """The setting exists but cannot have that value."""

    code = "setting_value"
    title = "The setting cannot have that value"

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} {reason}", pointer="/value")
        self.name = name


class SettingDayError(PropertyRefusal):
    """The change would take effect on a gaming day that is over."""

    code = "setting_day"
    title = "A setting cannot change a gaming day that is over"


class SettingApprovalError(PropertyRefusal):
    """A setting about money was changed by one person alone."""

    code = "setting_approval"
    status = 403
    title = "A money setting needs a second person"


class PropertyCodeError(PropertyRefusal):
    """A property of that code stands already."""

    code = "property_exists"
    status = 409
    title = "A property of that code stands already"


class CalendarError(PropertyRefusal):
    """A zone, day start or shift table that no clock can follow."""

    code = "calendar"
    title = "The property's calendar is not possible"
