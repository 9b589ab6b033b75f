import type { FixTable, StackFixes } from './stack-fix.ts';

const clientFrameworks: StackFixes = {
  react:
    'Do not use dangerouslySetInnerHTML; where markup is needed, pass it through DOMPurify.sanitize(). Check that URLs for href and src begin with http: or https:.',
  angular:
    'Bind with {{ value }} or [textContent]; do not call bypassSecurityTrustHtml() or bypassSecurityTrustUrl() on data from the URL.',
  vue: 'Bind with {{ value }} instead of v-html; where markup is needed, pass it through DOMPurify.sanitize().',
};

const escaping: StackFixes = {
  node: 'EJS: <%= value %>, not <%- value %>. Pug: #{value}, not !{value}. Handlebars: {{ value }}, not {{{ value }}}.',
  django: '{{ value }} without the filter safe; format_html() instead of mark_safe() in Python code.',
  flask: 'Jinja escapes in .html templates: no filter safe and no Markup() on request data.',
  fastapi: 'Jinja2Templates escapes in .html templates: no filter safe and no Markup() on request data.',
  rails: '<%= value %> without raw and html_safe; sanitize(value) where markup is needed.',
  laravel: '{{ $value }} instead of {!! $value !!}.',
  php: "echo htmlspecialchars($value, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');",
  spring: 'Thymeleaf: th:text, not th:utext.',
  java: 'JSP: <c:out> or fn:escapeXml() around the value, instead of the expression alone.',
  aspnet: 'Razor encodes @value: no Html.Raw(value).',
  go: 'Use html/template, not text/template, and no template.HTML(value) on request data.',
  ...clientFrameworks,
};

export const browserFixes: FixTable = {
  79: escaping,
  80: escaping,
  346: clientFrameworks,
  'dom-xss': clientFrameworks,
  // The general text names the attributes of the frameworks.
  csti: {},
  601: {
    // The path alone may begin with two slashes, so that the browser takes its beginning for a host: /.//evil.example
    node: 'const url = new URL(next, origin); redirect only if url.origin === origin, to url.href.',
    django: 'Redirect only if url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()}).',
    flask:
      'Refuse a url with a backslash or a control character; then target = urljoin(request.host_url, url), and redirect(target) only if target.startswith(request.host_url).',
    rails: 'redirect_to url_from(params[:next]) || root_path: url_from returns nil for other hosts (Rails 7).',
    laravel: "redirect()->route('home') or redirect()->intended(), not redirect($request->input('next')).",
    php: "Accept only preg_match('#^/(?![/\\\\\\\\])[^\\\\\\\\\\s]*$#D', $next).",
    aspnet: 'LocalRedirect(url), or Url.IsLocalUrl(url) before the redirect.',
  },
  1021: {
    nginx: 'add_header Content-Security-Policy "frame-ancestors \'none\'" always;',
    apache: 'Header always set Content-Security-Policy "frame-ancestors \'none\'"',
    express: "app.use(helmet()): it sends frame-ancestors 'self' and X-Frame-Options.",
    django: "XFrameOptionsMiddleware in MIDDLEWARE and X_FRAME_OPTIONS = 'DENY'.",
    rails: "config.action_dispatch.default_headers['X-Frame-Options'] = 'DENY'",
    spring: 'http.headers(headers -> headers.frameOptions(frame -> frame.deny()))',
  },
  'csp-missing': {
    nginx:
      "First add_header Content-Security-Policy-Report-Only \"script-src 'self'; object-src 'none'; base-uri 'none'\" always; then the same as Content-Security-Policy.",
    apache:
      "First Header always set Content-Security-Policy-Report-Only \"script-src 'self'; object-src 'none'; base-uri 'none'\", then the same as Content-Security-Policy.",
    express:
      'First app.use(helmet({ contentSecurityPolicy: { reportOnly: true } })), with directives for your pages; then without reportOnly.',
    rails:
      'config.content_security_policy { |policy| policy.script_src :self; policy.object_src :none; policy.base_uri :none } in config/initializers/content_security_policy.rb, first with config.content_security_policy_report_only = true.',
  },
  'nosniff-missing': {
    nginx: 'add_header X-Content-Type-Options nosniff always;',
    apache: 'Header always set X-Content-Type-Options nosniff',
    express: 'app.use(helmet()) sends the header.',
    django: 'SecurityMiddleware in MIDDLEWARE and SECURE_CONTENT_TYPE_NOSNIFF = True.',
  },
  942: {
    express: "app.use(cors({ origin: ['https://app.example.com'], credentials: true })), not origin: true.",
    django: "With django-cors-headers, CORS_ALLOWED_ORIGINS = ['https://app.example.com'], not CORS_ALLOW_ALL_ORIGINS.",
    flask: "CORS(app, origins=['https://app.example.com'], supports_credentials=True).",
    fastapi: "CORSMiddleware with allow_origins=['https://app.example.com'], not allow_origin_regex.",
    spring:
      'configuration.setAllowedOrigins(List.of("https://app.example.com")), not setAllowedOriginPatterns(List.of("*")).',
    laravel: "'allowed_origins' => ['https://app.example.com'] in config/cors.php.",
    aspnet: 'policy.WithOrigins("https://app.example.com").AllowCredentials(), not SetIsOriginAllowed(_ => true).',
    nginx: 'Do not send $http_origin back: map complete origins to the header, with an empty default.',
  },
};
