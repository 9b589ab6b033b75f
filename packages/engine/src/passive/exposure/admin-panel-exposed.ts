import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'admin-panel-exposed',
  severity: 'INFO',
  cwe: 200,
  title: 'A tool that administers the database has a public sign-in',
  why: 'A sign-in page is no flaw by itself, but everybody can try passwords at it, and its own flaws are sought after.',
  fix: 'Let only your own addresses reach it, or put a second sign-in before it.',
  references: ['https://docs.phpmyadmin.net/en/latest/setup.html#securing-your-phpmyadmin-installation'],
  files: [
    { path: '/phpmyadmin/', signature: /<title>\s*phpMyAdmin\b/i, isPage: true },
    { path: '/adminer.php', signature: /<title>[^<]{0,60}\bAdminer\b/i, isPage: true },
  ],
  examples: [
    { name: 'phpMyAdmin', given: { files: { '/phpmyadmin/': { body: '<title>phpMyAdmin</title>' } } }, fails: 1 },
    { name: 'Adminer', given: { files: { '/adminer.php': { body: '<title>Login - Adminer</title>' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another page', given: { files: { '/adminer.php': { body: '<title>Our shop</title>' } } }, fails: 0 },
  ],
});
