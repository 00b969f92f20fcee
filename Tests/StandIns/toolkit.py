"""A real OpenID Connect provider, django-oauth-toolkit, where Ada is logged in and consents. Prints its issuer.

The arguments are the addresses that lead back to the client `muster`, whose secret is `a secret`. `GET /valid` tells how many
tokens it has given that are not revoked.
"""
import socket
import sys
import tempfile
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from jwcrypto.jwk import JWK

listener = socket.socket()
listener.bind(("127.0.0.1", 0))
PORT = listener.getsockname()[1]
listener.close()
ISSUER = f"http://127.0.0.1:{PORT}/o"
BACK, HOME = sys.argv[1:3]

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(Path(tempfile.mkdtemp()) / "toolkit.sqlite")}
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider"],
    LOGIN_URL="/login/",
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "__main__.logged_in"],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_ISS_ENDPOINT": ISSUER,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        # Only a revocation ends a token.
        "OIDC_RP_INITIATED_LOGOUT_DELETE_TOKENS": False,
        "OIDC_RSA_PRIVATE_KEY": JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None).decode(),
        "OAUTH2_VALIDATOR_CLASS": "__main__.Validator",
        "PKCE_REQUIRED": True,
        "SCOPES": {"openid": "who one is", "profile": "one's name"},
    },
    ROOT_URLCONF="__main__",
    SECRET_KEY="of a test",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    USE_TZ=True,
)
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import AccessToken, Application, RefreshToken  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402


class Validator(OAuth2Validator):
    """Says the name in the ID token."""

    oidc_claim_scope = None

    def get_additional_claims(self, request):
        return {"name": request.user.get_full_name(), "preferred_username": request.user.username}


def logged_in(answer):
    def act(request):
        request.user = get_user_model().objects.get(username="ada")
        request._dont_enforce_csrf_checks = True
        return answer(request)

    return act


def valid(_):
    return HttpResponse(str(AccessToken.objects.count() + RefreshToken.objects.filter(revoked=None).count()))


urlpatterns = [path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")), path("valid", valid)]


class Server(ThreadingMixIn, WSGIServer):
    """A browser keeps connections open that it may need later."""

    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    from django.core.wsgi import get_wsgi_application

    call_command("migrate", verbosity=0)
    ada = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Lovelace")
    Application.objects.create(
        name="Muster",
        user=ada,
        client_id="muster",
        client_secret="a secret",
        # A slow hash takes longer on a busy machine than a sign-in waits.
        hash_client_secret=False,
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        redirect_uris=BACK,
        post_logout_redirect_uris=HOME,
        skip_authorization=True,
        algorithm="RS256",
    )
    server = make_server("127.0.0.1", PORT, get_wsgi_application(), Server, Quiet)
    print(ISSUER, flush=True)
    server.serve_forever()
