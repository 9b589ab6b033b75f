import type { Technology } from '../readers/technologies.ts';

const wordsOf = (text: string) => text.trim().split(/\s+/);

/** Places that platforms and their usual extensions have, below the folder of the application. All of them only read. */
export const PLACES_OF: Readonly<Record<Technology, readonly string[]>> = {
  php: wordsOf(`
    admin.php admin/ phpinfo.php info.php test.php upload.php search.php debug.php users.php user.php api.php view.php
    file.php download.php login.php phpmyadmin/ adminer.php status.php profile.php backup.php includes/ uploads/`),
  java: wordsOf(`
    actuator actuator/env actuator/mappings h2-console/ admin actuator/httptrace actuator/loggers manage console
    admin.jsp login.jsp test.jsp manager/html jolokia status monitoring druid/index.html env mappings`),
  node: wordsOf(`
    admin api/users api/admin api/config api/debug debug api/status metrics api/me api/version package.json status
    api/logs api/health uploads/ server.js app.js`),
  python: wordsOf(`
    admin/ console api/ debug __debug__/ api/users api/debug metrics static/ media/ flower/ healthz api/config
    accounts/login/ silk/ rq/`),
  dotnet: wordsOf(`
    trace.axd elmah.axd hangfire admin api/values api/users Admin/ Admin.aspx Default.aspx health Account/Login
    glimpse.axd mini-profiler-resources/results-index diagnostics upload.aspx`),
  rails: wordsOf(`
    rails/info/routes rails/info/properties rails/mailers admin sidekiq letter_opener users/sign_in api/users jobs
    rails/conductor/action_mailbox/inbound_emails flipper pghero`),
};

/** Names that applications of every kind have. */
export const COMMON = wordsOf(`
  admin debug test dashboard users status internal backup old api config console logs uploads files dev private stats
  metrics health info manage user profile search upload download report reports export settings version monitor staff
  support tools system panel account env`);

/** Names of what an API serves, for folders below which it does. */
export const OF_API = wordsOf(`
  users admin config debug status me logs accounts health version internal settings files search stats metrics roles
  keys tokens orders export`);
