import { defineExposureCheck } from '../../define-exposure-check.ts';

const backup = (path: string) => ({ path, signature: /define\(\s*['"]DB_PASSWORD['"]/ });

export default defineExposureCheck({
  id: 'exposed-wp-config-backup',
  severity: 'CRITICAL',
  cwe: 530,
  title: 'WordPress configuration backup exposed (wp-config.php)',
  why: 'A backup copy of wp-config.php can be downloaded. Its name does not end in .php, so the server sends the source, and an attacker reads the database password and the secret keys that sign sessions. The evidence shows the path and the name of the constant, never its value.',
  fix: 'Delete the copy, change the database password, and generate new keys and salts. Block the extensions .bak, .save, .txt and ~ in the web server, and store backups outside of the web root.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://developer.wordpress.org/advanced-administration/wordpress/wp-config/',
    'https://cwe.mitre.org/data/definitions/530.html',
  ],
  files: [
    backup('/wp-config.php.bak'),
    backup('/wp-config.php~'),
    backup('/wp-config.php.save'),
    backup('/wp-config.txt'),
  ],
  examples: [
    {
      name: '.bak copy',
      given: { files: { '/wp-config.php.bak': { body: "<?php\ndefine( 'DB_PASSWORD', 'x' );" } } },
      fails: 1,
    },
    {
      name: 'editor backup',
      given: { files: { '/wp-config.php~': { body: '<?php define("DB_PASSWORD", "x");' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated text', given: { files: { '/wp-config.txt': { body: 'Set DB_PASSWORD first.' } } }, fails: 0 },
  ],
});
