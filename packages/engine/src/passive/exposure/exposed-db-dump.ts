import { defineExposureCheck } from '../../exposure-check.ts';

const dump = (path: string) => ({
  path,
  signature:
    /^-- (MySQL|MariaDB) dump|^-- PostgreSQL database dump|^PGDMP|^SQLite format 3|^(CREATE TABLE|INSERT INTO)\b/im,
});

export default defineExposureCheck({
  id: 'exposed-db-dump',
  severity: 'CRITICAL',
  cwe: 530,
  title: 'A copy of the database can be downloaded',
  why: 'A dump holds everything that the application keeps about its users, without any of the rules on who may see what.',
  fix: 'Delete the file, keep dumps outside of the folder that is served, and treat what it held as published.',
  references: ['https://cwe.mitre.org/data/definitions/530.html'],
  files: ['/dump.sql', '/backup.sql', '/db.sql', '/{domain}.sql', '/db.sqlite'].map(dump),
  examples: [
    { name: 'MySQL', given: { files: { '/dump.sql': { body: '-- MySQL dump 10.13\n' } } }, fails: 1 },
    {
      name: 'named as the site',
      given: { files: { '/{domain}.sql': { body: '/* 1 */\nCREATE TABLE users (id int);' } } },
      fails: 1,
    },
    { name: 'PostgreSQL', given: { files: { '/backup.sql': { body: 'PGDMP\x01\x0e' } } }, fails: 1 },
    { name: 'SQLite', given: { files: { '/db.sqlite': { body: 'SQLite format 3\0' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a lesson about it',
      given: { files: { '/db.sql': { headers: { 'content-type': 'text/html' }, body: '<pre>\nCREATE TABLE users' } } },
      fails: 0,
    },
  ],
});
