"""Where commands and texts take a secret without naming it: `mysql -pSECRET`, `curl -u name:SECRET`."""

# ruff: noqa: E501 - patterns are read best on one line
from __future__ import annotations

import re

from desktop_memory.pipeline.secret_shapes import Shape, Sign

_ARGUMENT = r"""(?:"(?P<{0}a>[^"]{{1,500}})"|'(?P<{0}b>[^']{{1,500}})'|(?P<{0}c>[^\s"'|;&<>]{{1,500}}))"""


def _argument(name: str = "s") -> str:
    return _ARGUMENT.format(name)


def _after(commands: str, option: str) -> str:
    """The option somewhere behind the command, in the same simple command, at most 600 characters on."""
    return rf"(?<![\w.-])(?:{commands})(?:\.exe)?(?=\s)[^|;&\n]{{0,600}}?\s(?:{option})"


def _command(kind: str, needles: str, pattern: str, sign: Sign = "") -> Shape:
    return Shape(kind, tuple(needles.split()), re.compile(pattern), sign)


_MYSQL = r"mysql(?:dump|admin|import|show|check|sh|pump|_upgrade)?|mariadb(?:-\w+)?|mycli"

COMMANDS: tuple[Shape, ...] = (
    _command("password", "mysql mariadb mycli", _after(_MYSQL, "-p") + r"(?!\s|rotocol|ort)" + _argument(), "option"),
    _command("password", "sshpass", _after("sshpass", r"-p\s?") + _argument(), "option"),
    _command("password", "login", r"(?<![\w.-])(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az|crane|oras|twine|cf|ibmcloud)\s"
             r"[^|;&\n]{0,80}?\blogin\b[^|;&\n]{0,300}?\s-p\s+" + _argument(), "option"),
    _command("password", "twine", _after("twine", r"-p\s+") + _argument(), "option"),
    _command("password", "mongo cqlsh cypher-shell xfreerdp rdesktop", _after(r"mongo(?:sh|dump|restore|export|import|stat|top)?|cqlsh|cypher-shell|rdesktop", r"-p\s?") + _argument(), "option"),
    _command("password", "winrm hydra crackmapexec netexec nxc", _after(r"evil-winrm|hydra|crackmapexec|netexec|nxc", r"-p\s+") + _argument(), "option"),
    _command("password", "snmp", _after(r"snmp(?:b?walk|b?get|getnext|bulkwalk|bulkget|set|table|trap|inform)", r"-[AX]\s+") + _argument(), "option"),
    _command("password", "snmp", _after(r"snmp\w{2,10}", r"-X\s+") + _argument(), "option"),
    _command("password", "schtasks", _after("schtasks", "/rp") + r"\s+(?![/*])" + _argument()),
    _command("password", "lftp", _after("lftp", r"-u\s+") + r"[^\s,'\"]{1,100},(?P<s>[^\s'\"]{1,300})", "option"),
    _command("password", "etcdctl", _after("etcdctl", r"--user[= ]") + r"[^\s:'\"]{1,100}:(?P<s>[^\s'\"]{1,300})", "option"),
    _command("password", "/p:", r"(?<!\S)/p:" + _argument()),
    _command("password", "redis-cli valkey-cli", _after(r"(?:redis|valkey)-cli", r"-a\s+") + _argument(), "option"),
    _command("password", "ldap", _after(r"ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)", r"-w\s+") + _argument(), "option"),
    _command("password", "zip mosquitto sqlcmd bcp ipmitool",
             _after(r"(?:un)?zip|mosquitto_(?:pub|sub|rr)|sqlcmd|bcp|ipmitool", r"-P\s?") + _argument(), "option"),
    _command("password", "openssl", _after("openssl", r"-(?:k|K|passin|passout)\s+") + r"(?!(?:pass|env|file|fd|stdin)\b)" + _argument(), "option"),
    _command("password", "ssh-keygen", _after("ssh-keygen", r"-[NP]\s+") + _argument(), "option"),
    _command("password", "net", r"(?i)(?<!\S)net\s+user\s+\S{1,100}\s+(?P<s>(?![/*])\S{2,200})"),
    _command("password", "7z rar", _after(r"7z[azr]?|(?:un)?rar", r"-h?p") + _argument(), "option"),
    _command("password", "smbclient rpcclient net mount.cifs", r"\s-U\s?['\"]?[\w.\\/-]{1,100}%(?P<s>[^\s'\"]{1,300})", "option"),
    _command("password", "curl wget http https xh", r"(?<![\w.-])(?:curl|https?|xh)(?=\s)[^|;&\n]{0,600}?\s(?:-u|--user|--proxy-user|-U|-a|--auth)[\s=]+"
             r"['\"]?[^\s'\":]{0,200}:(?P<s>[^\s'\"]{1,300})", "option"),
    _command("token", "curl", r"(?<![\w.-])curl(?=\s)[^|;&\n]{0,600}?\s(?:-b|--cookie)[\s=]+['\"]?(?P<s>[^\s'\"=]{1,100}=[^'\"\n]{4,2000})", "option"),
    _command("password", "net", r"(?i)(?<!\S)net\s+use\s+\S{1,20}\s+(?:\\\\\S{1,200}\s+)?(?P<s>(?!/)[^\s*\\]\S{2,200})\s+/user:"),
    _command("password", "/user:", r"(?i)(?<!\S)/user:\S{1,100}\s+(?P<s>(?!/)\S{3,200})"),
    _command("password", "htpasswd", r"(?<![\w.-])htpasswd\s+-[a-zA-Z]*b[a-zA-Z]*\s+\S{1,300}\s+\S{1,100}\s+" + _argument(), "option"),
    _command("password", "sudo", r"(?<![\w.-])echo\s+(?:-n\s+)?" + _argument() + r"\s*\|\s*sudo\s+-\w*S", "option"),
    _command("password", "<<<", r"(?<![\w.-])(?:kinit|vncpasswd|passwd|cryptsetup|gpg2?|sudo\s+-S|su)\b[^|;&<\n]{0,200}<<<\s{0,3}" + _argument()),
    _command("password", "chpasswd", r"(?<![\w.-])chpasswd\s{0,3}<<<\s{0,3}['\"]?[\w.-]{1,64}:(?P<s>[^\s'\"]{1,300})", "name"),
    _command("password", "gpg cryptsetup kinit vncpasswd veracrypt", r"(?<![\w.-])(?:echo|printf)\s+(?:-\w+\s+)?" + _argument()
             + r"\s*\|\s*(?:sudo\s+)?(?:gpg2?\s[^|;&\n]{0,200}--passphrase-fd|cryptsetup|kinit|vncpasswd|veracrypt)\b"),
    _command("password", "cryptsetup", r"(?<![\w.-])cryptsetup\s[^|;&\n]{0,200}<\(\s?(?:echo|printf)\s+(?:-\w+\s+)?(?P<s>[^\s()'\"]{1,300})"),
    _command("password", "walletpassphrase", r"\bwalletpassphrase\s+" + _argument(), "name"),
    _command("password", "set-initial-password upwd input_pw owner_pw user_pw", r"(?<![\w.-])(?:set-initial-password|upwd\s+\S{1,100}|(?:input|owner|user)_pw)\s+(?!-)" + _argument(), "name"),
    _command("password", "bw", r"(?<![\w.-])bw\s+(?:unlock|login\s+\S{3,200})\s+(?!-)" + _argument()),
    _command("password", "steamcmd", r"(?<![\w.-])\+login\s+(?!anonymous\b)\S{1,100}\s+(?![+-])" + _argument()),
    _command("password", "http-basic", r"\bconfig\s+http-basic\.\S{1,200}\s+\S{1,200}\s+" + _argument()),
    _command("key", "alias", r"(?<![\w.-])mc\s+alias\s+set\s+\S{1,100}\s+\S{1,300}\s+\S{1,200}\s+" + _argument()),
    _command("password", "dscl", r"(?<![\w.-])-passwd\s+(?P<s>/\S{1,200}\s+(?!-)\S{1,200})", "name"),
    _command("password", "consul etcdctl", r"(?i)(?<![\w.-])(?:consul\s+kv|etcdctl)\s+put\s+\S{0,200}(?:password|passwd|secret|token|api_?key)\s+(?!-)" + _argument(), "name"),
    _command("key", "keyvault", r"(?<![\w.-])az\s+keyvault\s+secret\s+set\s[^|;&\n]{0,400}?--value[= ]" + _argument(), "name"),
    _command("password", "impacket- exec.py secretsdump mssqlclient getuserspns getnpusers", r"(?<![\w.-])(?:impacket-\w{2,20}|\w{2,20}\.py)\s+(?:-\S+\s+){0,6}[\w.-]{1,60}/[\w.$-]{1,60}:(?P<s>[^\s@'\"]{1,200})@(?!sha\d)"),
    _command("password", "chpasswd", r"(?<![\w.-])echo\s+(?:-n\s+)?['\"]?[\w.-]{1,64}:(?P<s>[^\s'\"|]{1,300})['\"]?\s*\|\s*(?:sudo\s+)?chpasswd", "name"),
    _command("password", "pass:", r"(?<![\w.-])pass:(?P<s>[^\s'\"]{1,300})", "name"),
    _command("password", "-stdin", r"(?<![\w.-])(?:echo|printf)\s+(?:-n\s+)?" + _argument() + r"\s*\|[^|;&\n]{0,200}--(?:password|token|secret)-stdin", "name"),
    _command("token", "--with-token auth", r"(?<![\w.-])(?:echo|printf)\s+(?:-n\s+)?" + _argument() + r"\s*\|\s*gh\s+auth\s+login", "name"),
    _command("key", "secret set", r"(?<![\w.-])gh\s+secret\s+set(?=\s)[^|;&\n]{0,200}?\s(?:-b|--body)[\s=]+" + _argument(), "name"),
    _command("key", "aws_secret_access_key aws_session_token",
             r"aws_(?:secret_access_key|session_token)\s+" + _argument(), "name"),
    _command("token", "authtoken", r"\b(?:authtoken|add-authtoken|_authToken)\s+" + _argument(), "name"),
    _command("token", "cargo vault snyk",
             r"(?<![\w.-])(?:cargo\s+login|vault\s+login(?:\s+-[\w=-]+)*|snyk\s+auth)\s+(?P<s>(?!-)\S{8,300})"),
    _command("password", "vault", r"(?<![\w.-])vault\s+kv\s+(?:put|patch)\s+\S{1,300}\s+(?:[^|;&\n]{0,300}?\s)?[\w-]{1,60}=(?P<s>[^\s@]\S{2,500})"),
    _command("key", "from-literal", r"--from-literal[= ]['\"]?[\w.-]{1,100}=(?P<s>[^\s'\"]{1,500})"),
    _command("key", "setx set -", r"(?i)(?<!\S)(?:setx|set\s+-\w*[xU]\w*)\s+[\w]{0,60}(?:_?KEY|TOKEN|SECRET|PASSWORD|PASSWD)\s+" + _argument(), "name"),
    _command("key", "pulumi", r"(?<![\w.-])pulumi\s+config\s+set\s+--secret\s+\S{1,100}\s+" + _argument(), "name"),
    _command("key", "ansible-vault", r"(?<![\w.-])ansible-vault\s+encrypt_string\s+(?:--?[\w-]+(?:[= ]\S+)?\s+){0,6}['\"](?P<s>[^'\"]{1,500})['\"]"),
    _command("password", "password", r"(?<![\w.-])nmcli\s[^|;&\n]{0,300}?\spassword\s+" + _argument(), "name"),
    _command("password", "wpa_passphrase", r"(?<![\w.-])wpa_passphrase\s+(?:\"[^\"]{1,64}\"|'[^']{1,64}'|\S{1,64})\s+" + _argument(), "name"),
    _command("password", "rabbitmqctl", r"(?<![\w.-])rabbitmqctl\s+(?:add_user|change_password)\s+\S{1,100}\s+" + _argument()),
    _command("password", "-wp add-generic-password add-internet-password",
             _after("security", r"-w\s+") + _argument(), "option"),
    _command("password", "identified password", r"(?i)\b(?:identified\s+(?:with\s+\w+\s+)?by|(?:with\s+)?(?:encrypted\s+)?password)\s+(?:\\?'(?P<sa>[^'\\]{1,300})\\?'|\\?\"(?P<sb>[^\"\\]{3,300})\\?\"(?=\s*[;)\\']))"),
    _command("password", "identified", r"(?i)\bidentified\s+(?:with\s+\w+\s+)?by\s+\"(?P<s>[^\"\\]{3,300})\""),
    _command("password", "convertto-securestring", r"(?i)ConvertTo-SecureString\s+(?:-String\s+)?" + _argument()),
    _command("password", "sqlplus", r"(?<![\w.-])sqlplus\s+(?:-\w+\s+){0,4}[\w$#]{1,60}/(?P<s>[^\s@/]{1,200})(?=@|\s|$)"),
    _command("password", "useradd usermod", _after("useradd|usermod", r"-p\s+") + _argument(), "option"),
    # Headers: a scheme and what follows it; bearer tokens anywhere.
    _command("token", "authorization", r"(?i)(?<![\w-])(?:proxy-)?authorization\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']?(?:basic|bearer|token|apikey|bot|negotiate|aws4-hmac-sha256|digest|hmac|splunk|genie(?=key)key|sso-key)\s+"
             r"(?P<s>(?!auth|token|scheme|header|credential|explained|vs\b)[^\"'\\\r\n]{6,3000})", "name"),
    _command("token", "authorization", r"(?i)(?<![\w-])(?:proxy-)?authorization\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']?(?P<s>(?=[^\s\"']{0,400}\d)[\w+/=.~-]{12,3000})", "name"),
    _command("token", "bearer", r"(?i)(?<![\w-])bearer\s+(?P<s>(?![\w-]{1,80}=[^=\s])(?=[^\s\"']{0,400}\d)[\w+/=.~-]{12,3000})", "name"),
    _command("token", "cookie", r"(?i)(?<![\w-])(?:set-)?cookie:\s{0,3}(?P<s>[\w.-]{1,80}=[^\"'\r\n]{2,3000})", "name"),
)  # fmt: skip
