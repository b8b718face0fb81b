import { after, before, beforeEach } from 'node:test';
import { useRegistryWith } from './use-registry.ts';

/** See `api.ts`. */
export const useRegistry = useRegistryWith({ beforeAll: before, beforeEach, afterAll: after });
