import type { Admin } from '@sortie/server';
import type { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function addRulesCommand(target: Command): void {
  target
    .command('rules <verification>')
    .description('show the rules of engagement of a target, or change them for future runs')
    .option(
      '--exclude <path...>',
      'paths that are never requested, with all below them, such as /admin, "POST /orders" or "/index.php?action=logout"; replaces the list; or none',
    )
    .option('--add-exclude <path...>', 'paths to add to that list')
    .option('--rate <number>', 'maximum requests per second (1 to 50), or none')
    .option('--window <from-to>', 'daily testing window in UTC, such as 22:00-06:00, or none')
    .option('--contact <text>', 'emergency contact, or none')
    .option('--clear', 'remove all rules before setting the given ones')
    .action((id, options, command) => runAdmin(command, (admin) => admin.target.rules({ id, ...options }), rulesText));
}

type TargetRules = Awaited<ReturnType<Admin['target']['rules']>>;

function rulesText({ verificationId, origin, rules, windowLeftMs }: TargetRules): string {
  const { excludedPaths, requestsPerSecond, window, emergencyContact } = rules;
  return fields({
    verification: verificationId,
    origin,
    'excluded paths': excludedPaths.length > 0 ? excludedPaths.join(' ') : 'none',
    'requests per second': requestsPerSecond ?? 'engine default',
    window: window ? `${window.from}-${window.to} UTC, ${openText(windowLeftMs)}` : 'always open',
    'emergency contact': emergencyContact,
  });
}

const openText = (leftMs: number | null) =>
  leftMs === 0 || leftMs === null ? 'closed now' : `open for another ${Math.ceil(leftMs / 60_000)} min`;
