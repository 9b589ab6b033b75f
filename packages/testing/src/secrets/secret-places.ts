/** Characters allowed in headers, cookies and keys. */
const plain = 'ABCXYZabcxyz0123456789!#$%*+./^_~-';
/** Characters that users choose for passwords. */
const any = `${plain} "'\\&<>;,=()[]{}|?:@\``;
const without = (characters: string) => [...any].filter((each) => !characters.includes(each)).join('');

interface SecretPlace {
  alphabet: string;
  put(secret: string): string;
}

const inUrl = encodeURIComponent;
const json = JSON.stringify;

/** Contexts in which secrets appear in traffic, each with the characters that are possible there. */
export const secretPlaces: Record<string, SecretPlace> = {
  bearer: { alphabet: plain, put: (secret) => `GET / HTTP/1.1\r\nAuthorization: Bearer ${secret}\r\nHost: a` },
  bearerInWords: { alphabet: plain, put: (secret) => `asked with Bearer ${secret}, and was let in` },
  command: { alphabet: plain, put: (secret) => `curl -H "Authorization: Basic ${secret}" https://a.example/` },
  otherQuotes: { alphabet: plain, put: (secret) => `curl -H 'X-Api-Key: ${secret}' https://a.example/` },
  cookie: { alphabet: `${plain}"`, put: (secret) => `Cookie: theme=dark; sid=${secret}; a=b` },
  setCookie: { alphabet: `${plain}"`, put: (secret) => `Set-Cookie: sid=${secret}; Path=/; HttpOnly` },
  joinedCookies: { alphabet: plain, put: (secret) => `set-cookie: a=b; Domain=x, sid=${secret}; Path=/` },
  headersInJson: {
    alphabet: plain,
    put: (secret) => json({ headers: { cookie: `sid=${secret}`, 'x-api-key': secret } }),
  },
  cookiesInJson: { alphabet: plain, put: (secret) => json({ 'set-cookie': [`a=${secret}`, `b=${secret}; Path=/`] }) },
  messageInJson: { alphabet: plain, put: (secret) => json({ request: `GET /\r\nX-Auth-Token: ${secret}\r\nHost: a` }) },
  ownKey: { alphabet: 'abcXYZ0123456789', put: (secret) => `used srt_live_${secret} for it` },
  url: { alphabet: any, put: (secret) => `https://ann:${inUrl(secret)}@shop.example.com/login` },
  query: { alphabet: any, put: (secret) => `https://shop.example.com/login?access_token=${inUrl(secret)}&a=b` },
  form: { alphabet: any, put: (secret) => `user=ann&password=${inUrl(secret)}&next=%2F` },
  nestedForm: { alphabet: any, put: (secret) => `user%5Bpassword%5D=${inUrl(secret)}&a=b` },
  parts: {
    alphabet: any,
    put: (secret) => `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--x--`,
  },
  json: { alphabet: any, put: (secret) => json({ user: 'ann', password: secret, next: '/' }) },
  jsonInJson: { alphabet: any, put: (secret) => json({ body: json({ newPassword: secret, next: '/' }) }) },
  jsonInJsonInJson: {
    alphabet: any,
    put: (secret) => json({ log: json({ body: json({ api_key: secret, next: '/' }) }) }),
  },
  cutJson: { alphabet: any, put: (secret) => `{"user":"ann","password":${json(secret).slice(0, -1)}` },
  script: { alphabet: without("'\\"), put: (secret) => `login({ password: '${secret}', user: 'ann' })` },
  field: { alphabet: without('"<>&'), put: (secret) => `<input name="csrfToken" type="hidden" value="${secret}">` },
  xml: { alphabet: without('<>&'), put: (secret) => `<a><ns:Password>${secret}</ns:Password></a>` },
};

/** Returns encodings of the secret, and of enough of either end to recognize it. */
export const formsOf = (secret: string): string[] =>
  [secret, secret.slice(0, 8), secret.slice(-8)].flatMap((part) => [part, inUrl(part), json(part).slice(1, -1)]);
