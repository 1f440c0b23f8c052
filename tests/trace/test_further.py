"""What only further patterns find: real shapes, no placeholders, in linear time."""

import json

import pytest

from kpinspector.sharing.answer import Sharing, place_of
from kpinspector.sharing.posting import contributed
from kpinspector.trace.cleaning import PiiKind, clean
from kpinspector.trace.clear import FoundBy, in_clear, masked, masked_body, masked_in, masked_parts
from kpinspector.trace.further import FURTHER_KINDS, find_further, holds_secret
from kpinspector.trace.javascript import JsonObject, JsonValue
from tests.trace.samples import takes_linear_time

# no real ones; put together here so that nobody's scanner stumbles over this file
HEX, MIXED = "0a1b2c3d" * 25, "Ab1Cd2Ef3Gh4" * 20
UUID = "0a1b2c3d-1111-4222-8333-0a1b2c3d4e5f"
CASES = [
    ("anthropic_key", "sk-ant-" + "api03-" + MIXED[:36], ""),
    ("openai_key", "sk-" + "proj-" + "Ab_1" * 10, ""),
    ("openrouter_key", "sk-or" + "-v1-" + HEX[:64], ""),
    ("groq_key", "gsk" + "_" + MIXED[:52], ""),
    ("perplexity_key", "pplx" + "-" + MIXED[:48], ""),
    ("xai_key", "xai" + "-" + MIXED[:80], ""),
    ("replicate_token", "r8" + "_" + MIXED[:37], ""),
    ("hugging_face_token", "hf" + "_" + "AbcD" * 9, ""),
    ("nvidia_key", "nvapi" + "-" + MIXED[:64], ""),
    ("elevenlabs_key", "sk" + "_" + HEX[:48], ""),
    ("langsmith_key", "lsv2" + "_pt_" + HEX[:32] + "_" + HEX[:10], ""),
    ("langfuse_key", "sk-lf" + "-" + UUID, ""),
    ("tavily_key", "tvly" + "-dev-" + MIXED[:32], ""),
    ("github_token", "github" + "_pat_" + "A1b2" * 10, ""),
    ("github_token", "gh" + "u_" + MIXED[:36], ""),
    ("gitlab_token", "glpat" + "-" + "Ab1_" * 5, ""),
    ("gitlab_token", "gl" + "dt-" + MIXED[:20], ""),
    ("gitlab_token", "glrt" + "-t1_" + MIXED[:27] + ".01.120abcdef", ""),
    ("gitlab_token", "GR1348" + "941" + MIXED[:20], ""),
    ("atlassian_token", "ATA" + "TT3" + MIXED[:180] + "=" + HEX[:8].upper(), ""),
    ("sourcegraph_token", "sgp" + "_" + HEX[:16] + "_" + HEX[:40], ""),
    ("docker_token", "dckr" + "_pat_" + MIXED[:27], ""),
    ("npm_token", "npm" + "_" + "Ab12" * 9, ""),
    ("pypi_token", "pypi-" + "AgE" + "Ab1_" * 16, ""),
    ("rubygems_key", "rubygems" + "_" + HEX[:48], ""),
    ("nuget_key", "oy" + "2" + MIXED[:43].lower(), ""),
    ("jfrog_key", "AK" + "Cp" + MIXED[:69], ""),
    ("jfrog_key", "cm" + "Vmd" + MIXED[:59], ""),
    ("aws_key", "AS" + "IA" + "Q2WERTYUIOPASDFG", ""),
    ("aws_key", "AB" + "SK" + MIXED[:130] + "=", ""),
    ("aws_key", "aws_secret_access" + "_key = " + MIXED[:40], MIXED[:40]),
    ("aws_key", '{\\"Secret' + 'AccessKey\\": \\"' + MIXED[:40] + '\\"}', MIXED[:40]),
    ("aws_key", "aws_session" + "_token = " + MIXED[:200] + "==", MIXED[:200] + "=="),
    ("azure_key", "Account" + "Key=" + "Ab1+" * 12 + "==", "Ab1+" * 12 + "=="),
    ("azure_key", "SharedAccess" + "Key=" + "Ab1+" * 11 + "=", "Ab1+" * 11 + "="),
    ("azure_key", "ab1" + "8Q~" + MIXED[:34], ""),
    ("azure_sas", "https://a.blob.example/b?v=1&si" + "g=" + "Ab%2B" * 9 + "%3D&x=1", "Ab%2BAb%2B"),
    ("google_key", "AI" + "za" + "Ab1_-" * 7, ""),
    ("google_key", "GOC" + "SPX-" + MIXED[:28], ""),
    ("google_token", "ya" + "29." + "a0Ab1_-" * 20, ""),
    ("google_token", "1//" + "0" + MIXED[:60], ""),
    *(("digitalocean_token", f"do{one}_v1" + "_" + HEX[:64], "") for one in "opr"),
    ("alibaba_key", "LT" + "AI" + MIXED[:20], ""),
    ("cloudflare_key", "v1" + ".0-" + HEX[:24] + "-" + HEX[:146], ""),
    ("heroku_key", "HR" + "KU-AA" + MIXED[:58], ""),
    ("fly_token", "FlyV1 fm" + "2_" + MIXED[:120] + "==", "fm" + "2_" + MIXED[:120]),
    ("vercel_token", "vc" + "p_" + MIXED[:56], ""),
    ("netlify_token", "nf" + "p_" + MIXED[:36], ""),
    ("supabase_key", "sb" + "p_" + HEX[:40], ""),
    ("supabase_key", "sb" + "_secret_" + MIXED[:31], ""),
    ("planetscale_token", "pscale" + "_tkn_" + MIXED[:43], ""),
    ("databricks_token", "da" + "pi" + HEX[:32], ""),
    ("openshift_token", "sha" + "256~" + MIXED[:43], ""),
    ("tailscale_key", "ts" + "key-auth-" + MIXED[:12] + "-" + MIXED[:32], ""),
    ("vault_token", "hv" + "s." + MIXED[:24], ""),
    ("vault_token", "hv" + "b." + MIXED[:140], ""),
    ("vault_token", "s" + "." + MIXED[:24], ""),
    ("terraform_token", MIXED[:14] + ".atlas" + "v1." + MIXED[:67], ""),
    ("pulumi_token", "pu" + "l-" + HEX[:40], ""),
    ("doppler_token", "dp" + ".pt." + MIXED[:43], ""),
    ("onepassword_token", "ops" + "_eyJ" + MIXED[:230], ""),
    ("age_key", "AGE-SECRET" + "-KEY-1" + "QPZRY9X8" * 7 + "GF", ""),
    ("circleci_token", "CCI" + "PAT_" + MIXED[:22] + "_" + HEX[:40], ""),
    ("sonarqube_token", "sq" + "p_" + HEX[:40], ""),
    ("grafana_token", "gl" + "sa_" + MIXED[:32] + "_" + HEX[:8], ""),
    ("grafana_token", "gl" + "c_" + MIXED[:80] + "==", ""),
    ("grafana_token", "eyJr" + "Ijoi" + MIXED[:80] + "=", ""),
    ("new_relic_key", "NR" + "AK-" + MIXED[:27].upper(), ""),
    ("sentry_token", "sntr" + "ys_eyJ" + MIXED[:90] + "=_" + MIXED[:43], ""),
    ("sentry_token", "sntr" + "yu_" + HEX[:64], ""),
    ("dynatrace_token", "dt0" + "c01." + MIXED[:24].upper() + "." + MIXED[:64].upper(), ""),
    ("postman_key", "PM" + "AK-" + HEX[:24] + "-" + HEX[:34], ""),
    ("slack_token", "xa" + "pp-1-A0B1C2D3E4-1234567890123-" + HEX[:64], ""),
    ("slack_token", "xo" + "xc-1234567890-" + HEX[:40], ""),
    ("slack_webhook", "https://hooks.sl" + "ack.com/services/T0A1/B0C2/" + MIXED[:24], MIXED[:24]),
    ("discord_token", "MT" + MIXED[:22] + "." + "G1Ab_c" + "." + MIXED[:38], ""),
    *(
        ("discord_webhook", f"https://dis{one}webhooks/123456789012345678/{MIXED[:68]}", MIXED[:68])
        for one in ("cord.com/api/", "cord.com/api/v10/", "cordapp.com/api/v9/")
    ),
    (
        "teams_webhook",
        "https://a.web" + f"hook.office.com/webhookb2/{UUID}@{UUID}/In/{HEX[:32]}/{UUID}",
        UUID,
    ),
    ("telegram_token", "123456789" + ":AA" + MIXED[:33], ""),
    ("twilio_key", "S" + "K" + HEX[:32], ""),
    ("twilio_key", "Client('" + "A" + "C" + HEX[:32] + "', '" + "9" * 32 + "')", "9" * 32),
    ("sendgrid_key", "SG" + "." + "Ab1-" * 5 + "ab." + "Ab1-" * 10 + "abc", ""),
    ("mailgun_key", "ke" + "y-" + HEX[:32], ""),
    ("mailgun_key", HEX[:32] + "-0a1b2c3d" * 2, ""),
    ("mailchimp_key", HEX[:32] + "-u" + "s12", ""),
    ("brevo_key", "xkey" + "sib-" + HEX[:64] + "-" + MIXED[:16], ""),
    ("resend_key", "r" + "e_" + MIXED[:8] + "_" + MIXED[:24], ""),
    ("stripe_key", "sk" + "_live_" + "Ab1" * 8, ""),
    ("stripe_key", "rk" + "_live_" + "Ab1" * 8, ""),
    ("square_token", "sq0" + "atp-" + MIXED[:22], ""),
    ("square_token", "EA" + "AA" + MIXED[:60], ""),
    ("paypal_token", "access" + "_token$production$" + MIXED[:16].lower() + "$" + HEX[:32], ""),
    *(("shopify_token", f"sh{one}" + "_" + HEX[:32], "") for one in ("pat", "pss", "pca", "ppa")),
    ("webhook_secret", "wh" + "sec_" + MIXED[:32], ""),
    ("linear_key", "lin" + "_api_" + MIXED[:40], ""),
    ("notion_token", "nt" + "n_" + "1" * 11 + MIXED[:35], ""),
    ("notion_token", "secr" + "et_" + MIXED[:43], ""),
    ("figma_token", "fi" + "gd_" + MIXED[:40], ""),
    ("airtable_token", "pa" + "t" + MIXED[:14] + "." + HEX[:64], ""),
    ("hubspot_token", "pa" + "t-na1-" + UUID, ""),
    ("jwt", "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl", ""),
    ("private_key", "-----BEGIN RSA " + "PRIVATE KEY-----", ""),
    (
        "private_key",
        "-----BEGIN PGP " + f"PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{MIXED[:64]}\n=Ab1C\n",
        MIXED[:64],
    ),
    ("private_key", "LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVktLS0tLQo" + MIXED[:64], ""),
    ("private_key", "Private" + "Key = " + MIXED[:43] + "=", MIXED[:43]),
    ("authorization", "Authorization: " + "Basic " + "dXNlcjpwYXNz", "dXNlcjpwYXNz"),
    *(
        ("authorization", f"curl -H 'X-{one}: {HEX[:24]}' https://a.example", HEX[:24])
        for one in ("API-Key", "Auth-Key")
    ),
    *(
        ("authorization", text.replace("V", HEX[:24]), HEX[:24])
        for text in (
            *('["X-Api' + '-Key", "V"]', "Authorization: " + "token V", "Authorization: " + "V"),
            *('{"Authorization"' + ':"V"}', "authorization: " + "ApiKey V"),
            *('"name": "Authorization"' + ',\n "value": "Basic V"', '["Authorization"' + ', "V"]'),
        )
    ),
    *(
        ("password", text.replace("V", "Tr0ub4dor"), "Tr0ub4dor")
        for text in (
            *(
                '{"name":"x-api' + '-key","value":"V"}',
                "SECRET_KEY" + '=\\"V\\"',
                "DB_PASSWORD" + ": V",
            ),
            *(
                "refresh_token" + "=V",
                "//registry.example/:_authToken" + "=V",
                "mysql -u ann -pV db",
            ),
            *(
                "docker login -u ann -p" + " V",
                "redis-cli -h a -a" + " V ping",
                "Uid=a;Pwd" + "=V;",
            ),
            *('["mysql", "-uann", "-pV"]', '["docker", "login", "-p"' + ', "V"]', "Pwd" + "=V;"),
            *("default login anonymous password" + " V", "curl -su" + " admin:V https://a.example"),
            *('{"command":["curl","-u"' + ',"admin:V","https://a.example"]}',),
            *("services:\n  POSTGRES_PASSWORD" + ": V\n", '"SessionToken"' + ': "V"'),
        )
    ),
    ("password", "a:\n  POSTGRES_PASSWORD" + ": correcthorse\n", "correcthorse"),
    ("password", '{"pass' + 'word": "Tr0ub4dor and 3"}', "Tr0ub4dor and 3"),
    ("password", "PG" + "PASSWORD=Tr0ub4dor", "Tr0ub4dor"),
    ("password", "docker login --pass" + "word Tr0ub4dor", "Tr0ub4dor"),
    ("password", "sshpass -p" + " 'Tr0ub4dor'", "Tr0ub4dor"),
    *(
        ("password", f"curl -s {user}:Tr0ub4dor" + "&3 https://a.example/x", "Tr0ub4dor&3")
        for user in ("-u ann", "-X POST \\\n  --user ann", "-uann")
    ),
    ("password", "machine a.example login ann " + "password Tr0ub4dor", "Tr0ub4dor"),
    ("password", "machine a.example\n  login ann\n  " + "password Tr0ub4dor\n", "Tr0ub4dor"),
    ("password", "db.example:5432:stores:ann" + ":Tr0ub4dor", "Tr0ub4dor"),
    ("password", "*:*:*:ann" + ":Tr0ub4dor", "Tr0ub4dor"),
    ("url_password", "https://ann:" + "Tr0ub4dor" + "@example.org/x", "Tr0ub4dor"),
    ("user_folder", "/home/" + "\u674e\u96f7/notes", "\u674e\u96f7"),
]
FOUND = {kind: text for kind, text, _ in reversed(CASES)}
PLACES = (
    "It said {} at last.",
    '{{"stdout": {}, "code": 0}}',
    "$ export A={} && echo done",
    "kp:trace:1-{} is an id",
    '"line one\\n{}\\nline three"',
)


def test_each_kind_has_a_case():
    assert {kind for kind, _, _ in CASES} == set(FURTHER_KINDS)


@pytest.mark.parametrize(
    ("kind", "text", "secret"), CASES, ids=[f"{kind}-{at}" for at, (kind, *_) in enumerate(CASES)]
)
def test_each_kind_is_found_wherever_it_stands_and_masked(kind, text, secret):
    secret = secret or text
    for place in PLACES:
        given = json.dumps(text, ensure_ascii=False) if "stdout" in place else text
        body = place.format(given)
        found = [one for one in in_clear({"x": body}) if one.by is FoundBy.KPINSPECTOR]
        assert [one.kind for one in found] == [kind], body
        assert secret in body[found[0].start : found[0].end]
        assert secret not in found[0].masked and len(found[0].masked) <= 8
        assert secret not in masked_in(body)


@pytest.mark.parametrize("between", [" ", "\n", ", "], ids=repr)
def test_two_beside_each_other_stay_two(between):
    for text in (text for _, text, _ in CASES if "BEGIN" not in text):
        found = {(one.start, one.end) for one in find_further(f"{text}{between}{text}")}
        assert len(found) == 2 * len({one.start for one in find_further(text)}) > 0, text


@pytest.mark.parametrize(
    "text",
    [
        "",
        '{"password": "********"}',
        '{"password": ""}',
        '{"token": "${TOKEN}"}',
        '{"token": null}',
        "task-force-and-sk-proj-ects",
        "http://localhost:8080/a@b",
        "git@github.com:org/repo.git",
        "eyJ.eyJ.",
        "npm_config_registry=x",
        "max_tokens=4096",
        "C:/Users",
        *(f"PWD=/srv/app {one}PWD=/srv" for one in ("OLD", "OLD_", "INIT_")),
        '{"PWD": "/srv/app", "OLDPWD": "/srv", "pwd": "C:\\\\work"}',
        *(
            f'{{"api_key": "{one}"}} OPENAI_API_KEY={one}'
            for one in (
                *("sk-...", "sk-xxxx", "sk-proj-xxxxxxxxxxxxxxxxxxxxxxxx", "<your key>", "$TOKEN"),
                *("${TOKEN}", "YOUR_API_KEY", "changeme", "example", "***", "gsk_****Ab1C"),
                *("sk-a\u2022\u2022\u2022\u2022", "{{ token }}", "[REDACTED]", "your-api-key"),
            )
        ),
        '{"api_key": "will be replaced by the installer"}',
        "aws_secret_access_" + "key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "glpat-" + "x" * 20 + " sk-or-v1-" + "x" * 64 + " sk-ant-your-api-key-goes-here",
        "https://user:password@example.org/ curl -u user:pass https://a.example",
        "curl -u $USER:$PASS https://a.example && git log -u a:b",
        "src/main.py:5432:10: error: no such name",
        "npm-cache-key-" + HEX[:32] + " md5 " + HEX[:32] + " TASK" + HEX[:32],
        "the machine you login to has a password on it",
        "pass --password to it, or --password FILE",
        "x-api-key: required, api-key: string",
        "5432:5432:tcp:80:90 5432:5432:tcp:a:90 127.0.0.1:5432:5432:tcp:80",
        "docker run --name mysql -p3306:3306 -p 80:80 mysql -p -e x; docker run -p 8080:80 a",
        "API_KEY: str = x, DB_PASSWORD: str\nDB_PASSWORD: SecretStr\nEOS_TOKEN: 128001",
        "Authorization: see https://a.example/html/rfc7235 or OAuth2.0, Authorization: required",
        "refresh_token=refresh_token, access_token=get_token2(), Pwd=/srv/app; pwd=os.getcwd();",
        "s.convertToSomethingElse12(a) s.aVeryLongNameOfAnAttribute " + HEX[:32] + "-" + HEX[:16],
        '["username", "password", "address1"]',
    ],
)
def test_what_is_none_is_not_found(text):
    assert list(find_further(text)) == []


def test_a_member_with_a_secret_name_is_a_warning_by_its_name():
    assert holds_secret("db_password", "hunter22")
    assert not holds_secret("password_hint", "hunter22")
    assert not holds_secret("token", "<your token>")
    assert not holds_secret("PWD", "/srv/app") and holds_secret("DB_PWD", "hunter22")
    (found,) = in_clear({"steps": [{"input": {"db_password": "hunter22"}}]})
    assert (found.kind, found.path) == ("password", ("steps", 0, "input", "db_password"))
    assert found.masked == "hu" + "\u2022" * 4


@pytest.mark.parametrize(
    ("body", "path", "kind"),
    [
        (
            {"headers": {"Authorization": "Basic dXNlcjpwYXNz"}},
            "headers.Authorization",
            "authorization",
        ),
        ({"Authorization": "Tr0ub4dor"}, "Authorization", "authorization"),
        ({"SessionToken": "IQoJ" + MIXED[:80]}, "SessionToken", "password"),
        ({"name": "x-api-key", "value": "V"}, "value", "password"),
        ({"x": ["X-Api-Key", HEX[:24]]}, "x.1", "authorization"),
        ({"command": ["curl", "-u", "ann:V1", "https://a.example"]}, "command.2", "password"),
        ({"command": ["mysql", "-pV1"]}, "command.1", "password"),
        ({"command": ["a", "--password", "Tr0ub4dor"]}, "command.2", "password"),
    ],
)
def test_what_stands_beside_a_text_says_that_it_is_a_secret(body, path, kind):
    (found,) = in_clear(body)
    assert (".".join(map(str, found.path)), found.kind) == (path, kind)
    value = body
    for name in found.path:
        value = value[name]
    assert value[found.start : found.end] in ("V", "V1", value)
    assert json.dumps(masked_body(body, [found])).count("\\u2022") == 4


def test_a_secret_in_a_list_or_of_two_kinds_is_said_once():
    (found,) = in_clear(["curl", f"a {FOUND['npm_token']}", "b"])
    assert found.path == (1,)
    (found,) = in_clear("eyJr" + f"Ijoi{MIXED[:80]}.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl")
    assert (found.kind, found.masked) == ("grafana_token", "eyJr" + "\u2022" * 4)


def test_names_of_members_are_looked_at_too():
    (found,) = in_clear({"ann@example.org": 1})
    assert found.in_name and found.by is FoundBy.SDK


@pytest.mark.parametrize(
    ("text", "shown"),
    [("", ""), ("abc", ""), ("abcd", "a"), ("a" * 16, "aaaa"), ("b" * 99, "bbbb")],
)
def test_at_most_four_characters_and_a_quarter_are_shown(text, shown):
    assert masked(text) == shown + "\u2022" * 4


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("client_" + "secret=INVENTED-secret", "INVENTED-secret"),
        ("?client-" + "secret = 'INVENTED0'", "INVENTED0"),
        ("DB_" + "PASSWORD=abc", "abc"),
        ("APP_" + "SECRET=x1", "x1"),
        ("aws_secret_access_" + "key = INVENTEDinvented/0000", "INVENTEDinvented/0000"),
        ('{"pw' + 'd": 123}', "123"),
    ],
)
def test_what_is_assigned_is_found_also_where_it_is_short(text, secret):
    (found,) = find_further(text)
    assert text[found.start : found.end] == secret


@pytest.mark.parametrize(
    "text",
    [
        "self.client_secret = client_secret",
        "client_secret = read_secret()",
        "DB_PASSWORD=$DB_PASSWORD",
        "EOS_TOKEN=2",
        '{"token": 123}',
    ],
)
def test_code_and_numbers_of_tokens_are_none(text):
    assert list(find_further(text)) == []


def test_a_number_is_a_secret_by_its_name():
    body: JsonValue = {"input": {"db_pwd": 1234, "token": 5, "password": True}}
    (found,) = in_clear(body)
    assert (found.path, found.masked) == (("input", "db_pwd"), "1" + "\u2022" * 4)
    shown = {"db_pwd": found.masked, "token": 5, "password": True}
    assert masked_body(body, [found]) == {"input": shown}


def test_an_address_that_begins_with_a_password_shows_nothing_of_it():
    text = "https://ann:" + "Tr0ub4dor" + "@example.org/x"
    shown = {one.kind: one.masked for one in in_clear({"x": text})}
    assert shown == {PiiKind.EMAIL: "\u2022" * 4, "url_password": "Tr\u2022\u2022\u2022\u2022"}
    assert masked_parts(text, clean(text).redactions) == ["\u2022" * 4]
    assert masked_parts("ann.a@example.org", clean("ann.a@example.org").redactions) == [
        "ann.\u2022\u2022\u2022\u2022"
    ]


def test_an_id_whose_digits_look_like_a_phone_stays_whole():
    assert masked_in("kp:trace:5d123456-7890-4f86-9b0d-6e2f81c4a7d3").endswith("6e2f81c4a7d3")
    assert masked_in("call 555-010-4477") == "call 555\u2022\u2022\u2022\u2022"


PIECES = (
    "a", "sk-", "password'", 'password": "', "A_", "_KEY=", "a://", "a:", "-----BEGIN ", "eyJ",
    "-----BEGIN PRIVATE KEY-----", "eyJaaaaaaaa.", "SG.", "a+", "http://a:", "x_", "bearer ",
    "AccountKey=", "C:\\\\Users\\\\", "a-", "authorization:", " ", "npm_", "/home/\xe9", "ghu_",
    "client_secret=", "client_secret=x", "A_PASSWORD=", "secret_access_key = ", '"pwd": ', "-eyJ",
    "_=", "a.eyJ", "-basic ", "a.b:", "sk-ant-", "SG.aaaaaaaaaaaaaaaaaaaaa.", "sk-proj-",
    "github_pat_", "glpat-", "ASIA", "AIza", "GOCSPX-", "sk_live_", "pypi-AgE", "hf_", "C:/Users/",
    "/home/", "a_TOKEN=", "a://a:a", "curl ", "curl \\\n", "curl -u a", "a:*:", "machine ",
    "machine a login ", ":5432:a:", "api-key: ", "--password ", "_PWD=/", "sig=a", "0", "mysql ",
    "mysql -p", "docker login ", "redis-cli -a", "authorization: a ", "s.a0", "a.b:5432:",
    'authorization","value":"', "A_PASSWORD: ", "A_PASSWORD: a ", "auth_token=", "pwd=", ";pwd=a",
    'api_key","value":', 'api-key",', "s.aA0", "default login ", 'curl","-u","', "authorization: a",
    "-----BEGIN PRIVATE KEY-----\nVersion: ", "LS0tLS1CRUdJTi", "eyJrIjoi", "Mz.", "pwd': '/",
)  # fmt: skip
BEHIND = (
    ("eyJaaaaaaaaa.", "-eyJ"), ("eyJaaaaaaaaa.eyJaaaaaaaaa", "-eyJ"), ("", "eyJaaaaaaaaa.eyJ"),
    ("=", "-A_"), ("(", "client_secret=xyzabc"), ("client_secret=", "secret_access_key"),
    ("://", "-a"), ("-----BEGIN PRIVATE KEY-----", "\\n"),
    ("-----BEGIN PRIVATE KEY-----", "\nAb: "), ("curl ", "-u a "), ("curl -u a:", "b:"),
    ("machine", " login"), ("api-key: ", "a"), ("--password ", "a"), ("mysql ", "a "),
    ("authorization: ", "a "), ("curl", '"'), ("DB_PASSWORD: ", "a"),
)  # fmt: skip


def every(text):
    return [*find_further(text)]


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_the_time_is_linear_in_the_text(piece):
    assert takes_linear_time(every, piece)


@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda at: f"{CASES[at][0]}-{at}")
def test_the_time_is_linear_in_parts_of_secrets(case):
    text = CASES[case][1]
    for part in (text[:4], text[:-1]):
        assert takes_linear_time(every, part, length=5_000)


@pytest.mark.parametrize(("start", "piece"), BEHIND, ids=ascii)
def test_the_time_is_linear_behind_a_beginning(start, piece):
    assert takes_linear_time(every, piece, start)


@pytest.mark.parametrize("before", ["", "-", "a-", "--", "eyJ-", "eyJaaaaaaaaa-", "b.", "\xe9"])
def test_a_token_is_found_behind_what_is_no_word(before):
    token = FOUND["jwt"]
    (found,) = find_further(before + token)
    assert (before + token)[found.start : found.end].endswith(token)


SECRET = "sk-" + "INVENTED0" * 3
NAMED: JsonObject = {"id": "kp:trace:1", "x": {f"key {SECRET}": [{FOUND["jwt"]: "a@example.org"}]}}


def test_a_name_on_the_way_is_masked_wherever_it_is_listed():
    sharing = Sharing(contributed(NAMED), None, 0.75)
    shown = [place_of(one.path) for one in sharing.in_clear]
    assert shown == ["x.key sk-I••••", *["x.key sk-I••••.0.eyJh••••"] * 2]
    assert place_of(("sk-" + "INVENTED0" * 9, 0)) == "sk-I••••.0"


def test_of_what_is_found_twice_no_character_is_shown():
    assert masked_in("https://ann:" + "Tr0ub4dor@example.org/x") == "https://ann:••••/x"
    assert masked_in("kp:trace:1") == "kp:trace:1"
    assert masked_in(f"a {SECRET} b {SECRET} c") == "a sk-I•••• b sk-I•••• c"


def test_what_is_found_is_compared_in_linear_time():
    header = FOUND["private_key"] + "\n"
    assert len([*in_clear(header * 1_000)]) == 1_000
    assert takes_linear_time(lambda text: [*in_clear(text)], header, length=1_000 * len(header))


def test_what_is_found_in_a_value_is_not_said_of_its_name_again():
    found = in_clear({"input": {"token": FOUND["npm_token"]}})
    assert [one.kind for one in found] == ["npm_token"]
