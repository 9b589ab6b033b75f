import type { FixTable, StackFixes } from './stack-fix.ts';

const cookies: StackFixes = {
  express: "session({ cookie: { httpOnly: true, secure: true, sameSite: 'lax' }, … }) of express-session.",
  django: 'SESSION_COOKIE_HTTPONLY = True and SESSION_COOKIE_SECURE = True.',
  flask: "app.config.update(SESSION_COOKIE_HTTPONLY=True, SESSION_COOKIE_SECURE=True, SESSION_COOKIE_SAMESITE='Lax').",
  rails: "Rails.application.config.session_store :cookie_store, key: '_app_session', secure: true, httponly: true.",
  laravel: "'http_only' => true and 'secure' => true in config/session.php.",
  php: 'session.cookie_httponly = 1, session.cookie_secure = 1 and session.cookie_samesite = "Lax" in php.ini.',
  spring: 'server.servlet.session.cookie.http-only=true and server.servlet.session.cookie.secure=true.',
  java: 'web.xml: <session-config><cookie-config><http-only>true</http-only><secure>true</secure></cookie-config></session-config>.',
  aspnet: 'options.Cookie.HttpOnly = true; options.Cookie.SecurePolicy = CookieSecurePolicy.Always;',
  go: 'http.Cookie{HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode, …}.',
};

export const sessionFixes: FixTable = {
  352: {
    django:
      "'django.middleware.csrf.CsrfViewMiddleware' in MIDDLEWARE, {% csrf_token %} in the form, and no @csrf_exempt on the view.",
    rails: 'protect_from_forgery with: :exception in ApplicationController; forms by form_with contain the token.',
    laravel: '@csrf in the form, and no exception for this URL in the CSRF middleware.',
    spring: 'Do not call csrf().disable() for pages with a session; forms with th:action contain the token.',
    aspnet:
      'builder.Services.AddControllersWithViews(options => options.Filters.Add(new AutoValidateAntiforgeryTokenAttribute())).',
    express:
      "A token per session, for example by the package csrf-csrf, and cookie: { sameSite: 'lax' } for express-session.",
    flask: "CSRFProtect(app) of Flask-WTF, and SESSION_COOKIE_SAMESITE = 'Lax'.",
    php: "$_SESSION['token'] = bin2hex(random_bytes(32)) in the form, and hash_equals($_SESSION['token'], $_POST['token']) when it arrives.",
    go: 'Since Go 1.25, wrap the handler with http.NewCrossOriginProtection().Handler(handler).',
  },
  'graphql-csrf-get': {
    node: 'With Apollo Server 4, keep csrfPrevention at its default, true.',
  },
  'graphql-introspection': { node: 'With Apollo Server, new ApolloServer({ introspection: false, … }).' },
  1004: cookies,
  614: cookies,
  347: {
    node: "jwt.verify(token, key, { algorithms: ['RS256'] }) with the algorithm that you sign with, not jwt.decode().",
    python: "jwt.decode(token, key, algorithms=['RS256']) of PyJWT, without verify_signature: False.",
    java: 'Jwts.parser().verifyWith(key).build().parseSignedClaims(token) of JJWT.',
    php: "JWT::decode($token, new Key($key, 'RS256')) of firebase/php-jwt.",
    rails: "JWT.decode(token, key, true, { algorithm: 'RS256' }).",
    dotnet:
      'TokenValidationParameters with ValidateIssuerSigningKey = true, RequireSignedTokens = true and ValidAlgorithms = ["RS256"].',
    go: 'jwt.Parse(token, keyFunc, jwt.WithValidMethods([]string{"RS256"})).',
  },
  // These tokens have a valid signature, by a key that they bring along: a list of algorithms does not refuse them.
  'jwt-header-injection': {
    node: "jwt.verify(token, keys.get(kid), { algorithms: ['RS256'] }), with keys a Map from the configuration and kid from jwt.decode(token, { complete: true }).header.",
    python:
      "key = KEYS[jwt.get_unverified_header(token)['kid']] with KEYS from the configuration, then jwt.decode(token, key, algorithms=['RS256']).",
    java: 'Jwts.parser().keyLocator(header -> keys.get(header.get("kid"))) of JJWT, with keys a Map from the configuration.',
    php: "JWT::decode($token, ['2026-01' => new Key($key, 'RS256')]) of firebase/php-jwt: it refuses a kid that is not in the array.",
    rails: "JWT.decode(token, nil, true, { algorithms: ['RS256'], jwks: keys }), with keys from the configuration.",
    dotnet:
      'IssuerSigningKeys with the configured keys in TokenValidationParameters, and no IssuerSigningKeyResolver that reads jwk, jku or files.',
    go: 'Return keys[kid] from a map in the configuration in the keyFunc of jwt.Parse, and an error for a kid that is not in it.',
  },
  613: {
    node: 'jwt.verify() checks exp unless ignoreExpiration: true is set.',
    python: "PyJWT checks exp unless options={'verify_exp': False} is set.",
    dotnet: 'ValidateLifetime = true in TokenValidationParameters.',
  },
  326: {
    node: "Create the secret once by crypto.randomBytes(32).toString('base64').",
    python: 'Create the secret once by secrets.token_urlsafe(32).',
  },
  330: {
    express: 'Use express-session, whose ids are random, or crypto.randomBytes(16).',
    node: "crypto.randomBytes(16).toString('hex').",
    python: 'secrets.token_hex(16).',
    php: 'session_start() and session_regenerate_id(true); for own ids bin2hex(random_bytes(16)).',
    java: 'SecureRandom with 16 bytes, or HttpSession.',
    go: 'crypto/rand with 16 bytes, not math/rand.',
  },
  916: {
    django:
      "'django.contrib.auth.hashers.Argon2PasswordHasher' first in PASSWORD_HASHERS, and make_password() or set_password().",
    node: 'crypto.scrypt() with a random salt, or the package argon2.',
    python: 'argon2.PasswordHasher().hash(password) of argon2-cffi.',
    laravel: 'Hash::make($password) and Hash::check().',
    php: 'password_hash($password, PASSWORD_DEFAULT) and password_verify().',
    spring: 'PasswordEncoderFactories.createDelegatingPasswordEncoder().',
    rails: 'has_secure_password.',
    aspnet: 'PasswordHasher<TUser> of ASP.NET Core Identity.',
    go: 'bcrypt.GenerateFromPassword([]byte(password), 12) of golang.org/x/crypto/bcrypt.',
  },
};
