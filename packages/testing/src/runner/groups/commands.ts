/** Runs the test files of commands, of the MCP server, the SDK and the packages. */
import { describeFiles } from '../describe-files.ts';
import { findTestFiles, root } from '../test-files.ts';

describeFiles(findTestFiles(root).commands);
