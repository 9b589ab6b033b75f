import type { FixTable, StackFixes } from './stack-fix.ts';

const ownership: StackFixes = {
  django: 'get_object_or_404(Order, pk=pk, user=request.user).',
  flask: 'With Flask-SQLAlchemy, Order.query.filter_by(id=id, owner_id=current_user.id).first_or_404().',
  fastapi:
    'Add Order.owner_id == user.id to the query, with user from Depends(current_user), and respond with 404 otherwise.',
  rails: 'current_user.orders.find(params[:id]).',
  laravel: "$request->user()->orders()->findOrFail($id), or a policy with $this->authorize('view', $order).",
  spring:
    'repository.findByIdAndOwner(id, principal.getName()), or @PostAuthorize("returnObject.owner == authentication.name").',
  node: 'Add AND owner_id = $2 with the id of the session to the query, and respond with 404 without a row.',
  aspnet: 'db.Orders.SingleOrDefaultAsync(order => order.Id == id && order.OwnerId == userId), with userId from User.',
};

/** Checked before the change: @PostAuthorize refuses the response of a method that has already run. */
const ownershipOfChanged: StackFixes = {
  ...ownership,
  laravel: "$request->user()->orders()->findOrFail($id), or a policy with $this->authorize('update', $order).",
  spring:
    'repository.findByIdAndOwner(id, principal.getName()), or @PreAuthorize("@orders.isOwner(#id, authentication.name)") on the method that changes it.',
  node: 'Add AND owner_id = $2 with the id of the session to the UPDATE or DELETE, and respond with 404 without a row.',
};

const roles: StackFixes = {
  django: "@permission_required('shop.change_item', raise_exception=True) on the view, or PermissionRequiredMixin.",
  express: "app.use('/admin', requireRole('admin')) before the routes, with the role from the session.",
  rails: 'before_action :require_admin in the base controller of the area.',
  laravel: "Route::middleware(['auth', 'can:administer'])->group(…).",
  spring:
    '@PreAuthorize("hasRole(\'ADMIN\')") with @EnableMethodSecurity, and requestMatchers("/admin/**").hasRole("ADMIN").',
  aspnet: '[Authorize(Roles = "Admin")] on the controller.',
  fastapi: 'APIRouter(dependencies=[Depends(require_admin)]) for the routes of the area.',
};

const publicFields: StackFixes = {
  node: 'Send { id: user.id, name: user.name }; with Mongoose, select: false on the secret fields of the schema.',
  django: 'List the public fields in Meta.fields of the serializer, not "__all__".',
  rails: 'render json: user.as_json(only: %i[id name]).',
  laravel: 'Return an API resource, or list the secret fields in $hidden of the model.',
  spring: 'Return a DTO (a record with the public fields), not the entity.',
  fastapi: 'Set response_model to a model with the public fields.',
  aspnet: 'Return a DTO with the public fields, not the entity.',
};

export const accessFixes: FixTable = {
  'idor-read': ownership,
  'idor-write': ownershipOfChanged,
  'idor-write-created': ownershipOfChanged,
  285: roles,
  306: {
    express: 'app.use(requireLogin) before the private routers.',
    django:
      "'django.contrib.auth.middleware.LoginRequiredMiddleware' in MIDDLEWARE (Django 5.1), or @login_required on the view.",
    rails: 'before_action :authenticate_user! in ApplicationController; skip_before_action for the public actions.',
    laravel: "Route::middleware('auth')->group(…).",
    spring:
      'http.authorizeHttpRequests(requests -> requests.requestMatchers("/login").permitAll().anyRequest().authenticated()).',
    aspnet: 'options.FallbackPolicy = new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build().',
    fastapi: 'APIRouter(dependencies=[Depends(current_user)]) for the private routes.',
  },
  915: {
    node: 'const { name, email } = body; and write these fields only.',
    django: "List the editable fields: fields = ['name', 'email'] in the ModelForm or serializer, not '__all__'.",
    rails: 'params.require(:user).permit(:name, :email).',
    laravel: 'Pass $request->validated() to the model, and list the editable fields in $fillable.',
    spring: 'Bind to a DTO with the editable fields, not to the entity.',
    aspnet: 'Bind to a DTO with the editable fields, not to the entity.',
    fastapi: "Use an input model without the field, with model_config = ConfigDict(extra='forbid').",
    go: 'Decode into a struct with the editable fields, after decoder.DisallowUnknownFields().',
  },
  'excessive-data-exposure': publicFields,
  'field-selection-exposure': publicFields,
  209: {
    express:
      'Set NODE_ENV=production: the default error handler then sends no stack. Add an error handler app.use((error, req, res, next) => …) that logs it.',
    node: 'Catch errors in one place, log error.stack and send a fixed text with status 500.',
    django: 'DEBUG = False and ALLOWED_HOSTS in the settings of production.',
    flask: 'app.debug = False, served by gunicorn or another WSGI server instead of app.run().',
    rails: 'config.consider_all_requests_local = false in config/environments/production.rb.',
    laravel: 'APP_DEBUG=false in .env, then php artisan config:cache.',
    php: 'display_errors = Off and log_errors = On in php.ini.',
    spring: 'server.error.include-stacktrace=never in application.properties.',
    java: 'Tomcat: <Valve className="org.apache.catalina.valves.ErrorReportValve" showReport="false" showServerInfo="false"/> in the Host.',
    aspnet: 'app.UseExceptionHandler("/error") in production; UseDeveloperExceptionPage() in development only.',
  },
  434: {
    php: 'Store uploads outside of the web root, or disable PHP for their directory (Apache with mod_php: php_admin_flag engine off).',
    nginx:
      'location ^~ /uploads/ { add_header Content-Disposition attachment; add_header X-Content-Type-Options nosniff; }, where ^~ also keeps PHP locations from matching.',
    express: 'Serve uploads by res.download(file), which sends Content-Disposition: attachment.',
  },
  'ip-spoofing-bypass': {
    express: "app.set('trust proxy', 'loopback') or the addresses of your proxy, not true.",
    nginx: 'proxy_set_header X-Forwarded-For $remote_addr; overwrites what the client sent.',
    apache: 'mod_remoteip with RemoteIPInternalProxy set to your proxy.',
    aspnet: 'List your proxy in ForwardedHeadersOptions.KnownProxies.',
  },
  644: {
    django: 'ALLOWED_HOSTS with your names, and USE_X_FORWARDED_HOST = False.',
    rails: "config.hosts << 'www.example.com', and default_url_options for links in mails.",
    laravel: "URL::forceRootUrl(config('app.url')) in a service provider.",
    nginx: 'proxy_set_header X-Forwarded-Host $host; and a default server that returns 444 for unknown names.',
    aspnet: '"AllowedHosts": "www.example.com" in appsettings.json.',
    node: 'Build links from a configured base URL, not from headers of the request.',
  },
};
