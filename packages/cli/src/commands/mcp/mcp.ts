import { Command } from 'commander';
import type { McpOptions } from './serve.ts';

const HELP = `
Implements the Model Context Protocol (MCP). Read-only, except with --allow-start and --max-credits.
See docs/mcp.md.`;

/** Has no output flags, because stdout carries the protocol. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('run an MCP server on stdin and stdout for AI assistants')
    .option('--base-url <url>', 'base URL of the service (default: SORTIE_BASE_URL, sortie.yml, http://127.0.0.1:4800)')
    .option('--api-key-file <file>', 'file with the API key (default: SORTIE_API_KEY, else the key stored by "login")')
    .option('--allow-start', 'add tools that start scans and pentests and cancel pentests')
    .option('--max-credits <number>', 'with --allow-start: credit limit of this process; 0 allows scans only')
    .option('--credentials-dir <folder>', 'with --allow-start: folder with files of test accounts')
    .option('--debug', 'log every request to stderr, without keys and bodies')
    .addHelpText('after', HELP)
    .action(async (options: McpOptions) => (await import('./serve.ts')).serve(options));
}
