/** Secrets from examples, tutorials and careless setups. */
const WORDS = `
  secret password changeme changeit change-me change_me key private privatekey private-key secretkey secret-key
  secret_key mysecret my-secret my_secret mysecretkey my-secret-key jwt jwtsecret jwt-secret jwt_secret jwtkey
  jwt-key token tokensecret token-secret supersecret super-secret super_secret supersecretkey topsecret top-secret
  verysecret shhhhh shh hush qwerty letmein welcome admin administrator root user guest login test testing dev
  development production staging local localhost default demo example sample random string value foo bar foobar hello
  world helloworld app api auth session sessionsecret cookie express node nodejs django flask rails laravel spring
  hmac hmackey hs256 signature signingkey signing-key encryptionkey accesstoken your-256-bit-secret
  your-384-bit-secret your-512-bit-secret a-string-secret-at-least-256-bits-long your_jwt_secret your-secret-key
  your_secret_key yoursecret insecure unsafe temp tmp null undefined none nothing empty xxx abc abcd abcdef asdf
  asdfgh zxcvbn monkey dragon
`
  .trim()
  .split(/\s+/);
const ENDINGS = ['', '1', '12', '123', '1234', '12345', '123456', '!', '2024', '2025', '2026'];
const NUMBERS = [
  '',
  '0',
  '1',
  '123',
  '1234',
  '12345',
  '123456',
  '12345678',
  '123456789',
  '1234567890',
  '000000',
  '111111',
];

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const COMMON_SECRETS: readonly string[] = [
  ...NUMBERS,
  'keyboard cat',
  ...WORDS.flatMap((word) =>
    [word, capitalised(word), word.toUpperCase()].flatMap((form) => ENDINGS.map((ending) => form + ending)),
  ),
];
