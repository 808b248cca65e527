"""A chain of certificates as long as that of a public authority, because most of a small exchange is the handshake."""
import random
import ssl
import subprocess

ROOT, INTERMEDIATE, LEAF = "root", "intermediate", "leaf"
POLICY = "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\ncertificatePolicies=2.23.140.1.2.1\n"
AUTHORITY = (
    "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,digitalSignature,keyCertSign,cRLSign\n"
    "extendedKeyUsage=clientAuth,serverAuth\nauthorityInfoAccess=caIssuers;URI:http://root.authority.test/\n"
    "crlDistributionPoints=URI:http://root.crl.authority.test/\n" + POLICY)
# Two timestamps of Certificate Transparency, which nobody here verifies.
TIMESTAMPS = "0481f200f0" + random.Random(0).randbytes(240).hex()
SERVER = (
    "keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=critical,CA:FALSE\n"
    "authorityInfoAccess=caIssuers;URI:http://intermediate.authority.test/\n"
    "crlDistributionPoints=URI:http://intermediate.crl.authority.test/1.crl\n"
    f"subjectAltName=DNS:{{name}}\n1.3.6.1.4.1.11129.2.4.2=DER:{TIMESTAMPS}\n" + POLICY)


class Chain:
    """A leaf of P-256 and an intermediate of P-384 below a root of RSA, such as certbot gets by default."""

    def __init__(self, directory, name):
        self.directory = directory
        self.root, self.key, self.certificates = f"{directory}/root.pem", f"{directory}/leaf.key", f"{directory}/chain.pem"
        self._openssl(
            "req", "-x509", "-newkey", "rsa:4096", "-nodes", "-days", "2", "-subj", "/C=XX/O=Security Research/CN=Test Root",
            "-keyout", f"{directory}/root.key", "-out", self.root)
        self._certify(INTERMEDIATE, ROOT, "P-384", "/C=XX/O=Test Authority/CN=T1", AUTHORITY)
        self._certify(LEAF, INTERMEDIATE, "P-256", f"/CN={name}", SERVER.format(name=name))
        with open(self.certificates, "w", encoding="ascii") as file:
            file.write("".join(self._pem(name) for name in (LEAF, INTERMEDIATE)))

    @property
    def length(self):
        """The bytes of the certificates that a server sends."""
        return sum(len(ssl.PEM_cert_to_DER_cert(self._pem(name))) for name in (LEAF, INTERMEDIATE))

    def _certify(self, name, issuer, curve, subject, extensions):
        path = f"{self.directory}/{name}"
        with open(f"{path}.extensions", "w", encoding="ascii") as file:
            file.write(extensions)
        self._openssl(
            "req", "-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-nodes", "-subj", subject,
            "-keyout", f"{path}.key", "-out", f"{path}.request")
        self._openssl(
            "x509", "-req", "-in", f"{path}.request", "-CA", f"{self.directory}/{issuer}.pem", "-CAkey", f"{self.directory}/{issuer}.key",
            "-CAcreateserial", "-days", "2", "-sha384", "-extfile", f"{path}.extensions", "-out", f"{path}.pem")

    def _pem(self, name):
        with open(f"{self.directory}/{name}.pem", encoding="ascii") as file:
            return file.read()

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)
