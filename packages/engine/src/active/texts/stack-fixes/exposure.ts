import type { FixTable, StackFixes } from './stack-fix.ts';

/** What is beside the public files: sources, settings and keys. */
const publicFolder: StackFixes = {
  express:
    "express.static('public', { dotfiles: 'deny' }) with a folder of public files only, not express.static('.').",
  django: 'Serve STATIC_ROOT and MEDIA_ROOT only, not BASE_DIR.',
  laravel: 'The document root is public/, not the folder of the project: .env, storage and vendor are beside it.',
  php: 'Keep settings and includes outside of the document root.',
  aspnet: 'app.UseStaticFiles() serves wwwroot only: keep settings out of it, and do not set ServeUnknownFileTypes.',
};

export const exposureFixes: FixTable = {
  548: {
    apache: 'Options -Indexes in the <Directory>, or in .htaccess with AllowOverride Options=Indexes.',
    nginx: 'autoindex off; in the location. It is the default.',
    express: 'Remove the middleware serve-index: express.static() lists nothing.',
    django: 'No show_indexes=True for django.views.static.serve.',
    python: 'Serve files by a web server or WhiteNoise, not by python -m http.server.',
    java: 'Tomcat: the init-param listings of the DefaultServlet is false. Jetty: dirAllowed is false.',
    aspnet: 'No app.UseDirectoryBrowser(), and EnableDirectoryBrowsing = false.',
    go: 'http.FileServer lists folders without index.html: give it a FileSystem whose Open() returns fs.ErrNotExist for them.',
  },
  530: {
    ...publicFolder,
    nginx: String.raw`location ~ (?:\.(?:bak|old|orig|save|swp|sql)|~)$ { return 404; }`,
    apache: String.raw`<FilesMatch "(?:\.(?:bak|old|orig|save|swp|sql)|~)$">Require all denied</FilesMatch>`,
  },
  538: {
    ...publicFolder,
    spring:
      'management.endpoints.web.exposure.include=health in application.properties, or the actuator on a port that is not public.',
    nginx: String.raw`location ~ /\.(?!well-known/) { return 404; } for files that begin with a dot.`,
    apache: String.raw`RedirectMatch 404 "/\.(?!well-known/)" for files that begin with a dot.`,
  },
};
