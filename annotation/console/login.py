"""The sign-in of researchers."""

from django.contrib.auth.forms import AuthenticationForm, UserCreationForm, UsernameField
from django.contrib.auth.models import User
from django.forms import TextInput

from annotation.people.access import user_names


class LoginForm(AuthenticationForm):
    """Django's form, and no name is longer than one can be: django-axes stores it as it comes."""

    username = UsernameField(
        max_length=User._meta.get_field("username").max_length,
        widget=TextInput(attrs={"autofocus": True}),
    )


class JoinForm(UserCreationForm):  # type: ignore[type-arg]
    """An account for somebody who was let in: name, e-mail address, password."""

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": UsernameField}  # wide letters become plain ones

    def clean_username(self) -> str:
        """Refuse a name that looks like another person's. Raises ValidationError."""
        name: str = super().clean_username()
        if "username" not in self.errors:  # there is no name where Django has refused it
            user_names.check(name)
        return name
