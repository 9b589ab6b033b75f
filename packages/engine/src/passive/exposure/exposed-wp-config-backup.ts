import { defineExposureCheck } from '../../exposure-check.ts';

const backup = (path: string) => ({ path, signature: /define\(\s*['"]DB_PASSWORD['"]/ });

export default defineExposureCheck({
  id: 'exposed-wp-config-backup',
  severity: 'CRITICAL',
  cwe: 530,
  title: 'A copy of the WordPress settings can be downloaded',
  why: 'Under a name that does not end in .php the server shows the file instead of running it, with the password of the database in it.',
  fix: 'Delete the copy, change the password of the database, and make new keys and salts.',
  references: [
    'https://cwe.mitre.org/data/definitions/530.html',
    'https://developer.wordpress.org/advanced-administration/wordpress/wp-config/',
  ],
  files: [
    backup('/wp-config.php.bak'),
    backup('/wp-config.php~'),
    backup('/wp-config.php.save'),
    backup('/wp-config.txt'),
  ],
  examples: [
    {
      name: 'a copy',
      given: { files: { '/wp-config.php.bak': { body: "<?php\ndefine( 'DB_PASSWORD', 'x' );" } } },
      fails: 1,
    },
    {
      name: 'of an editor',
      given: { files: { '/wp-config.php~': { body: '<?php define("DB_PASSWORD", "x");' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another file', given: { files: { '/wp-config.txt': { body: 'Set DB_PASSWORD first.' } } }, fails: 0 },
  ],
});
