import { homedir } from 'node:os';
import path from 'node:path';

/** Where downloads of the tests stay between runs. */
export const cacheFolder = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'gatehouse');
