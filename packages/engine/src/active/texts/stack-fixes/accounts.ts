import type { FixTable } from './stack-fix.ts';

export const accountFixes: FixTable = {
  384: {
    express:
      'req.session.regenerate((error) => { … req.session.userId = user.id; }) at the login; Passport does so since 0.6.',
    django:
      'Log in by django.contrib.auth.login(request, user), which cycles the session key; in a login of your own call request.session.cycle_key().',
    flask:
      "session.clear() before session['user_id'] = user.id; with Flask-Session also app.session_interface.regenerate(session).",
    rails: 'reset_session before session[:user_id] = user.id.',
    laravel: '$request->session()->regenerate() after Auth::attempt().',
    php: 'session_regenerate_id(true) after the password was verified, and session.use_strict_mode = 1 in php.ini.',
    spring:
      'Keep the default of sessionManagement(), sessionFixation(fixation -> fixation.changeSessionId()), not none(). In a login of your own call request.changeSessionId().',
    java: 'request.changeSessionId() after the password was verified (Servlet 3.1).',
    aspnet:
      'HttpContext.SignInAsync() issues a new cookie. HttpContext.Session keeps its ID: at the login, clear it and delete the cookie .AspNetCore.Session.',
    go: 'With scs, sessionManager.RenewToken(r.Context()) before the user ID is stored.',
  },
  // Registrations and resets: the lookup happens after the response, which cannot tell its result.
  204: {
    node: 'Send the response first, for example res.sendStatus(202), then look up the account and send the email.',
    django: 'Look up the account and send the email in a task (Celery), and return the same response in both cases.',
    fastapi: 'background_tasks.add_task(send_mail, email) looks up the account after the response.',
    rails:
      'AccountMailJob.perform_later(email) looks up the account after the response; with Devise, config.paranoid = true.',
    laravel:
      'dispatch(fn () => …)->afterResponse() looks up the account after the response; return the same one for Password::RESET_LINK_SENT and Password::INVALID_USER.',
    spring: 'Look up the account in a method with @Async, and return the same response in both cases.',
    aspnet: "RedirectToPage('./ForgotPasswordConfirmation') also if FindByEmailAsync() returns null.",
  },
  'user-enumeration-login': {
    node: 'await argon2.verify(user?.hash ?? UNUSED_HASH, password), and one message for both cases.',
    django: 'authenticate() hashes the password for unknown names, too: call it, and show one error message.',
    rails:
      'User.authenticate_by(email:, password:) of has_secure_password (Rails 7.1); with Devise, config.paranoid = true.',
    laravel: "Auth::attempt(), and back()->withErrors(['email' => __('auth.failed')]) whenever it returns false.",
    php: "password_verify($password, $user['hash'] ?? UNUSED_HASH), and one message for both cases.",
    spring: 'Keep hideUserNotFoundExceptions of DaoAuthenticationProvider at its default, true.',
    aspnet: 'SignInManager.PasswordSignInAsync(), and one message for each result other than Succeeded.',
    go: 'bcrypt.CompareHashAndPassword() with the hash of an unused password if there is no such user.',
  },
  307: {
    express:
      'With express-rate-limit, rateLimit({ windowMs: 15 * 60_000, limit: 5, skipSuccessfulRequests: true, keyGenerator: (req) => req.body.user }) before the login, and a second one per address.',
    django:
      "With django-axes, 'axes.backends.AxesStandaloneBackend' first in AUTHENTICATION_BACKENDS, 'axes.middleware.AxesMiddleware' last in MIDDLEWARE, and AXES_FAILURE_LIMIT = 5.",
    flask:
      "With Flask-Limiter, @limiter.limit('5 per 15 minutes', key_func=lambda: request.form['user']) on the login.",
    fastapi: "With slowapi, @limiter.limit('5/minute', key_func=…) on the login.",
    rails:
      'rate_limit to: 5, within: 15.minutes, by: -> { params[:email] }, only: :create (Rails 7.2); with Devise, the module lockable.',
    laravel:
      "RateLimiter::for('login', fn ($request) => Limit::perMinute(5)->by($request->input('email'))), and the middleware throttle:login on the route.",
    php: "With Symfony, login_throttling: { max_attempts: 5, interval: '15 minutes' } in the firewall.",
    spring:
      'Count AuthenticationFailureBadCredentialsEvent per user in an @EventListener; above the limit, UserDetails.isAccountNonLocked() returns false for some minutes.',
    aspnet:
      'PasswordSignInAsync(name, password, isPersistent, lockoutOnFailure: true), and options.Lockout.MaxFailedAccessAttempts = 5.',
    nginx:
      'Per address only: limit_req_zone $binary_remote_addr zone=login:10m rate=5r/m; and in location = /login limit_req zone=login burst=5 nodelay;',
    go: 'A rate.NewLimiter(rate.Every(time.Minute), 5) of golang.org/x/time/rate for each account.',
  },
  'password-change-without-current': {
    node: 'if (!(await argon2.verify(user.hash, body.currentPassword))) respond with 403, before the UPDATE.',
    django:
      'PasswordChangeView with PasswordChangeForm requires the old password; update_session_auth_hash() keeps the session of the request only.',
    rails:
      'current_user.authenticate(params[:current_password]) before the update; with Devise, update_with_password().',
    laravel:
      "'current_password' => ['required', 'current_password'] in the rules; Auth::logoutOtherDevices($password) after the change.",
    php: "password_verify($_POST['current_password'], $user['hash']) before the UPDATE.",
    spring: 'passwordEncoder.matches(current, user.getPassword()) before the change.',
    aspnet:
      'UserManager.ChangePasswordAsync(user, currentPassword, newPassword), not RemovePasswordAsync() or ResetPasswordAsync().',
    go: 'bcrypt.CompareHashAndPassword(user.Hash, []byte(current)) before the UPDATE.',
  },
  'registration-overwrites-account': {
    node: 'INSERT without ON CONFLICT … DO UPDATE; with Mongoose, unique: true and create(), not findOneAndUpdate() with upsert.',
    django: 'User.objects.create_user(), not update_or_create(), and unique=True on the field.',
    rails: 'validates :email, uniqueness: { case_sensitive: false }, and create!(), not find_or_initialize_by().',
    laravel: "'email' => ['required', 'email', 'unique:users'] in the rules, and User::create(), not updateOrCreate().",
    spring: 'repository.existsByEmail(email) before save(), which overwrites an entity whose id is known.',
    aspnet: 'options.User.RequireUniqueEmail = true, and UserManager.CreateAsync().',
    postgresql: 'CREATE UNIQUE INDEX ON users (lower(email));',
    mysql: 'ALTER TABLE users ADD UNIQUE (email); and no REPLACE INTO or ON DUPLICATE KEY UPDATE.',
  },
  521: {
    django:
      'MinimumLengthValidator and CommonPasswordValidator in AUTH_PASSWORD_VALIDATORS; in views of your own, validate_password(password, user).',
    rails: 'validates :password, length: { minimum: 8 }, not_pwned: true, with the gem pwned.',
    laravel: 'Password::min(8)->uncompromised() of Illuminate\\Validation\\Rules in the rules.',
    spring:
      'HaveIBeenPwnedRestApiPasswordChecker as the CompromisedPasswordChecker (Spring Security 6.3), and a minimum length.',
    aspnet: 'options.Password.RequiredLength = 8, and an IPasswordValidator<TUser> that refuses leaked passwords.',
    node: 'https://api.pwnedpasswords.com/range/ with the first five hex digits of the SHA-1 returns the rest of leaked hashes: the password is not sent.',
  },
};
