import { Command } from 'commander';
import { accountCommand } from './account.ts';
import { auditCommand } from './audit.ts';
import { clockCommand } from './clock.ts';
import { creditsCommand } from './credits.ts';
import { faultCommand } from './fault.ts';
import { keyCommand } from './key.ts';
import { mailCommand } from './mail.ts';
import { memberCommand } from './member.ts';
import { modelCommand } from './model.ts';
import { optoutCommand } from './optout.ts';
import { reviewCommand } from './review.ts';
import { runCommand } from './run.ts';
import { signingKeyCommand } from './signing-key.ts';
import { targetCommand } from './target.ts';
import { userCommand } from './user.ts';
import { vaultCommand } from './vault.ts';

export function adminCommand(): Command {
  return new Command('admin')
    .description('operate the service: accounts, keys, targets, credits, runs, reviews, audit log')
    .option('--data <folder>', 'data folder of the running server; ignored if DATABASE_URL is set', '.sortie')
    .option('--json', 'print one JSON document on stdout, errors included')
    .addCommand(accountCommand())
    .addCommand(userCommand())
    .addCommand(memberCommand())
    .addCommand(mailCommand())
    .addCommand(keyCommand())
    .addCommand(creditsCommand())
    .addCommand(targetCommand())
    .addCommand(runCommand())
    .addCommand(modelCommand())
    .addCommand(optoutCommand())
    .addCommand(reviewCommand())
    .addCommand(vaultCommand())
    .addCommand(signingKeyCommand())
    .addCommand(auditCommand())
    .addCommand(clockCommand())
    .addCommand(faultCommand());
}
