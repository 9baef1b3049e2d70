"""All settings of Crowdwright, from the environment and from nowhere else.

Every variable is listed in .env.example. Without any variable this is the embedded mode: SQLite
and a filesystem broker below var/, with secrets made on first start. A value that cannot be
understood refuses to start.
"""

import tomllib
from pathlib import Path

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.environment import Environment, database, may_get_secrets, networks, served_address
from config.error_reports import start_reporting
from config.logs import logging_config
from config.metric_files import prepare
from config.secrets import keep_private, secret

BASE_DIR = Path(__file__).resolve().parent.parent
with (BASE_DIR / "pyproject.toml").open("rb") as _file:
    VERSION: str = tomllib.load(_file)["project"]["version"]  # stored with every analysis

env = Environment()
VAR_DIR = Path(env.str("CROWDWRIGHT_VAR", default=str(BASE_DIR / "var"))).resolve()
keep_private(VAR_DIR)

# -- What is secret ---------------------------------------------------------------------------
SECRET_KEY = env.str("SECRET_KEY", default="") or secret(VAR_DIR / "secret.key")
# Platform ids of workers are encrypted and matched with a key of their own: it must outlive
# every change of SECRET_KEY, or a returning worker would no longer be known.
PSEUDONYM_KEY = env.str("PSEUDONYM_KEY", default="") or secret(VAR_DIR / "pseudonym.key")
for _name, _value in (("SECRET_KEY", SECRET_KEY), ("PSEUDONYM_KEY", PSEUDONYM_KEY)):
    if len(_value) < 40:
        raise ImproperlyConfigured(f"{_name} has {len(_value)} characters; it needs at least 40")

# -- Where it is reached -----------------------------------------------------------------------
DEBUG = env.bool("DEBUG", default=False)
PUBLIC_URL = env.str("PUBLIC_URL", default=served_address(VAR_DIR)).rstrip("/")
if not PUBLIC_URL.startswith(("http://", "https://")):
    raise ImproperlyConfigured(f"PUBLIC_URL must start with http:// or https://, not {PUBLIC_URL}")
HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=HTTPS)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
PROXIES = env.int("BEHIND_PROXY", default=0)  # as many entries of X-Forwarded-For are true
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# How many people may begin a study from one address within ten minutes; 0 is no limit.
ARRIVALS_PER_ADDRESS = env.int("ARRIVALS_PER_ADDRESS", default=30)
# With it Prolific signs its webhooks, until a secret is made here (prolific.keeping_secrets).
PROLIFIC_WEBHOOK_SECRET = env.str("PROLIFIC_WEBHOOK_SECRET", default="")
# Our workspace at Prolific: links that another one signed are refused. Empty: any workspace.
PROLIFIC_WORKSPACE = env.str("PROLIFIC_WORKSPACE", default="")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"  # a worker's link carries a token
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000  # bytes; the largest honest request is an exit form
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# -- The house ---------------------------------------------------------------------------------
INSTALLED_APPS = [
    "config.admin.CrowdwrightAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "rest_framework",
    "drf_spectacular",
    "config",
    "annotation",
    "writing",
    "judging",
    "analysis",
]
MIDDLEWARE = [
    "config.request_middleware.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.PermissionsPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.maintenance.MaintenanceMiddleware",
    "config.middleware.IncomingMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "config.sessions.OwnerMiddleware",
    "config.logging_in.LoginMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotation.fieldwork.pages.trial_frames.TrialFrameMiddleware",
    "annotation.fieldwork.pages.languages.LanguageMiddleware",
    "annotation.fieldwork.pages.refusal_middleware.RefusalMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "config.template_loader.LanguageLoader",
                    [
                        "config.template_loader.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "libraries": {"i18n": "config.constant_tags", "static": "config.constant_tags"},
            "builtins": ["annotation.templatetags.shortened", "annotation.templatetags.minus"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
SILENCED_SYSTEM_CHECKS = ["templates.W003"]  # constant_tags replaces the two libraries on purpose
LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English"), ("de", "German")]  # of workers' pages: Study.Language
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- People who log in -------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "config.verifying.CodeBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "studies"
LOGOUT_REDIRECT_URL = "login"
AXES_LOCKOUT_TEMPLATE = "console/locked.html"
AXES_CLIENT_IP_CALLABLE = "annotation.fieldwork.pages.client_address.client_address"
AXES_FAILURE_LIMIT = "config.logging_in.failure_limit"
AXES_LOCKOUT_PARAMETERS = "config.logging_in.lockout_parameters"
AXES_SENSITIVE_PARAMETERS = ["code"]  # beside the password
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False  # it ends, however long somebody goes on
OTP_TOTP_ISSUER = "Crowdwright"  # what the phone calls it
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 12 * 3600  # seconds without a visit
SESSION_LASTS = 7 * 24 * 3600  # seconds, however often its owner visits
PASSWORD_RESET_TIMEOUT = 24 * 3600  # seconds that a link for a new password is good
EMAIL_HOST = env.str("EMAIL_HOST", default="")  # without one, nothing is sent
EMAIL_PORT = env.int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env.str("EMAIL_HOST_USER", default="")
EMAIL_HOST_PASSWORD = env.str("EMAIL_HOST_PASSWORD", default="")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10  # seconds that a page waits for it
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="Crowdwright <noreply@localhost>")
_sends = "smtp" if EMAIL_HOST else "dummy"
EMAIL_BACKEND = f"django.core.mail.backends.{_sends}.EmailBackend"
# Requests that one account may send to the API in a minute.
API_REQUESTS_PER_MINUTE = env.int("API_REQUESTS_PER_MINUTE", default=600)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.people.access.key_authentication.KeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "SCHEMA_COERCE_PATH_PK": False,  # describe addresses as they are written
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PARSER_CLASSES": ["annotation.console.api.parsing.JsonParser"],
    "DEFAULT_THROTTLE_CLASSES": ["annotation.people.access.budgets.ApiThrottle"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Crowdwright",
    "DESCRIPTION": "Corpora, drafts, studies, analyses and exports. GET reads, POST acts.",
    "VERSION": VERSION,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SCHEMA_PATH_PREFIX": "/api/",
    "COMPONENT_SPLIT_REQUEST": True,  # a file is sent as bytes
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "annotation.console.api.refusals.add_refusals",
        "annotation.console.api.document_schemas.add_document",
    ],
    "ENUM_NAME_OVERRIDES": {
        "EntryStateEnum": "judging.models.banks.EntryDecision.State",
        "RoundStateEnum": "judging.models.calls.Asker.State",
        "StudyKindEnum": "annotation.models.studies.Study.Kind",
        "UploadStateEnum": "annotation.models.uploads.CorpusUpload.State",
    },
}

# -- Where things are kept ---------------------------------------------------------------------
DATABASE_URL = env.str("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'crowdwright.sqlite3'}")
DATABASES = {"default": database(DATABASE_URL)}
_engine = DATABASES["default"].get("ENGINE", "").rsplit(".", 1)[-1]
if _engine == "sqlite3":
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        # A write transaction takes its lock at BEGIN and waits for it, instead of failing with
        # "database is locked" when a read turns into a write.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536;"
            "PRAGMA temp_store=MEMORY; PRAGMA mmap_size=268435456;"
            "PRAGMA secure_delete=ON"  # what is erased is overwritten in the file
        ),
    }
elif _engine == "postgresql":
    DATABASES["default"]["CONN_MAX_AGE"] = env.int("CONN_MAX_AGE", default=600)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # Behind pgbouncer in transaction mode a connection is another one after each transaction.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = env.bool("PGBOUNCER", default=False)
else:
    raise ImproperlyConfigured(
        f"DATABASE_URL must be postgres://... or sqlite:///..., not {DATABASE_URL.split(':')[0]}:"
    )

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(VAR_DIR / "static")))
# Hashed names need `collectstatic`: the image runs it, the embedded mode serves from the source.
STATIC_HASHED = env.bool("STATIC_HASHED", default=False)
BUNDLES_ROOT = BASE_DIR / "build" / "static"  # `npm run bundle`: under the names of their sources
STATIC_BUNDLED = STATIC_HASHED and BUNDLES_ROOT.is_dir()
STATICFILES_DIRS = [*([BUNDLES_ROOT] if STATIC_BUNDLED else []), BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not STATIC_HASHED
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "config.static.HashedStaticFilesStorage"
        if STATIC_HASHED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

HELP_ROOT = BASE_DIR / "build" / "help"  # `make docs` builds the documentation site there

# What is computed from something that does not change (drawings, what a draft would make) is kept
# in the database: every server has it, also after it was started again. A release forgets it
# (annotation/keeping.py), and so does the end of its time.
CACHES = {
    "default": {
        "BACKEND": "config.cache.KeptCache",
        "LOCATION": "annotation_kept",
        "KEY_PREFIX": VERSION,
        "OPTIONS": {"MAX_ENTRIES": 5_000},
    }
}

# Uploaded files of corpora: web servers and workers share this folder.
UPLOADS_DIR = VAR_DIR / "uploads"
FILE_UPLOAD_TEMP_DIR = UPLOADS_DIR / "arriving"
for _path in (UPLOADS_DIR, FILE_UPLOAD_TEMP_DIR):  # the mode is that of the last part alone
    _path.mkdir(mode=0o700, exist_ok=True)
UPLOAD_MOST_BYTES = env.int("UPLOAD_MOST_BYTES", default=500_000_000)  # of an upload, as it comes
UPLOAD_MOST_UNPACKED = 4_000_000_000  # bytes of one file

# -- Recruitment platforms ---------------------------------------------------------------------
PROLIFIC_TOKEN = env.str("PROLIFIC_TOKEN", default="")
PROLIFIC_URL = env.str("PROLIFIC_URL", default="https://api.prolific.com/api/v1/").rstrip("/") + "/"
if not may_get_secrets(PROLIFIC_URL):
    raise ImproperlyConfigured(
        f"PROLIFIC_URL must start with https:// or be on this computer, not {PROLIFIC_URL}"
    )
# Where people come back to with their code.
PROLIFIC_SITE = env.str("PROLIFIC_SITE", default="https://app.prolific.com").rstrip("/")
# Calls that change something at a platform are written down and not sent.
RECRUITING_DRY_RUN = env.bool("RECRUITING_DRY_RUN", default=True)

# -- Models that judge -------------------------------------------------------------------------
# Whether their servers may be on this machine or in its network, where only we can call.
MACHINE_ENDPOINTS_INSIDE = env.bool("ENDPOINTS_INSIDE", default=False)
# Networks that no model may be in, as "198.51.100.0/24": a university's own public range.
REFUSED_NETWORKS = networks("REFUSED_NETWORKS", env.list("REFUSED_NETWORKS", default=[]))
# Keys by host, for judges without one of their own: each goes to its host alone.
MACHINE_KEYS: dict[str, str] = {}
for _pair in env.list("MACHINE_KEYS", default=[]):
    _host, _, _key = _pair.partition("=")
    if not _host or not _key or "/" in _host:
        raise ImproperlyConfigured("MACHINE_KEYS must be host=key, separated by commas")
    MACHINE_KEYS[_host.strip().lower()] = _key.strip()

# -- Work in the background --------------------------------------------------------------------
CELERY_BROKER_URL = env.str("BROKER_URL", default="filesystem://")
CELERY_TASK_IGNORE_RESULT = True  # progress and results are rows of analysis, not of a broker
CELERY_TASK_ACKS_LATE = True  # a job whose worker was killed is delivered again
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1_000_000  # kB; who took more is replaced
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker outlives any absence of the broker
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "analysis.tasks.sweep", "schedule": 30.0},
    "expire": {"task": "annotation.tasks.expire", "schedule": 30.0},
    "reconcile": {"task": "annotation.tasks.reconcile", "schedule": 120.0},
    "pay": {"task": "annotation.tasks.pay_people", "schedule": 60.0},
    "clear": {"task": "annotation.tasks.clear", "schedule": 60.0},
    "retain": {"task": "annotation.tasks.retain", "schedule": 3600.0},  # by date: once is enough
    "examine": {"task": "judging.tasks.sweep", "schedule": 60.0},
    "rate": {"task": "judging.tasks.resume_judges", "schedule": 15.0},
    "pack": {"task": "writing.tasks.sweep", "schedule": 60.0},
}
if CELERY_BROKER_URL == "filesystem://":
    _queue = VAR_DIR / "queue"
    _queue.mkdir(mode=0o700, exist_ok=True)
    for _folder in ("messages", "control"):
        (_queue / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT = "config.folder_broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue / "messages"),
        "data_folder_out": str(_queue / "messages"),
        "control_folder": str(_queue / "control"),
        "polling_interval": 0.1,
    }
elif CELERY_BROKER_URL.startswith(("redis://", "rediss://")):
    # For the worker and the clock, which wait a second at a time for something to do; a request
    # has less patience (annotation/jobs.py).
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "socket_timeout": 10.0,
        "socket_connect_timeout": 5.0,
        "socket_keepalive": True,
    }
else:
    raise ImproperlyConfigured(
        f"BROKER_URL must be redis://... or filesystem://, not {CELERY_BROKER_URL.split(':')[0]}:"
    )

# Analyses that runs are planned with and pages show; read by analysis.inputs.definition.
ANALYSES = "analysis.analyses.catalogue.CATALOGUE"

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
if LOG_LEVEL not in {"DEBUG", "INFO", "WARNING", "ERROR"}:
    raise ImproperlyConfigured(f"LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not {LOG_LEVEL}")
LOG_FORMAT = env.str("LOG_FORMAT", default="text").lower()
if LOG_FORMAT not in {"text", "json"}:
    raise ImproperlyConfigured(f"LOG_FORMAT must be text or json, not {LOG_FORMAT}")
# People who get an e-mail of errors.
ADMIN_EMAILS = env.list("ADMINS", default=[]) if EMAIL_HOST else []
LOGGING = logging_config(LOG_LEVEL, as_json=LOG_FORMAT == "json", mails_errors=bool(ADMIN_EMAILS))

# With this bearer token /metrics answers; without one there is no such address.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_DIR = VAR_DIR / "metrics"
if METRICS_TOKEN:
    if len(METRICS_TOKEN) < 20:
        raise ImproperlyConfigured("METRICS_TOKEN must have at least 20 characters")
    prepare(METRICS_DIR)

# Errors are sent there, without data of people; wants the extra `sentry`.
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    start_reporting(SENTRY_DSN, release=VERSION)
