import type { Command } from 'commander';
import type { ApiOptions } from './shell.ts';

export interface StartOptions extends ApiOptions {
  target?: string;
  verification?: string;
  depth?: string;
  credentials?: string;
  idempotencyKey?: string;
  salt?: string;
  new?: boolean;
}

export const withStartOptions = (command: Command): Command =>
  command
    .option('--target <url>', 'URL to test (default: target in sortie.yml)')
    .option('--verification <id>', 'verification id of the target (default: verificationId in sortie.yml)')
    .option('--depth <depth>', 'lead, standard or deep (default: depth in sortie.yml, else lead, the cheapest)')
    .option('--credentials <file>', 'test accounts as YAML or JSON, - for stdin')
    .option('--idempotency-key <key>', 'start once for this key (default: in a pipeline made of commit and target)')
    .option('--salt <text>', 'makes the default key of a pipeline another one')
    .option('--new', 'start a new run, whatever was started before; a start that was not answered is sent again first');
