import { afterAll, beforeAll, beforeEach } from 'vitest';
import { useRegistryWith } from './use-registry.ts';

/** See `api.ts`. */
export const useRegistry = useRegistryWith({ beforeAll, beforeEach, afterAll });
