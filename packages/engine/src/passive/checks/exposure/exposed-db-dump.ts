import { defineExposureCheck } from '../../define-exposure-check.ts';

const dump = (path: string) => ({
  path,
  signature:
    /^-- (MySQL|MariaDB) dump|^-- PostgreSQL database dump|^PGDMP|^SQLite format 3|^(CREATE TABLE|INSERT INTO)\b/im,
});

export default defineExposureCheck({
  id: 'exposed-db-dump',
  severity: 'CRITICAL',
  cwe: 530,
  title: 'Database dump exposed',
  why: 'A dump of the database can be downloaded. An attacker gets all stored data at once, including personal data and password hashes, without passing any access control. The evidence shows the path and the first marker of the dump.',
  fix: 'Delete the file, store dumps outside of the web root, and treat the data as breached: rotate secrets and passwords in it and check your duty to notify. Check the access log for earlier downloads.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/530.html',
  ],
  files: ['/dump.sql', '/backup.sql', '/db.sql', '/{domain}.sql', '/db.sqlite'].map(dump),
  examples: [
    { name: 'MySQL', given: { files: { '/dump.sql': { body: '-- MySQL dump 10.13\n' } } }, fails: 1 },
    {
      name: 'named after the domain',
      given: { files: { '/{domain}.sql': { body: '/* 1 */\nCREATE TABLE users (id int);' } } },
      fails: 1,
    },
    { name: 'PostgreSQL', given: { files: { '/backup.sql': { body: 'PGDMP\x01\x0e' } } }, fails: 1 },
    { name: 'SQLite', given: { files: { '/db.sqlite': { body: 'SQLite format 3\0' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'HTML page that shows SQL',
      given: { files: { '/db.sql': { headers: { 'content-type': 'text/html' }, body: '<pre>\nCREATE TABLE users' } } },
      fails: 0,
    },
  ],
});
