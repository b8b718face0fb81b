import { z } from 'zod';

// The page's policy forbids `new Function`, which zod would otherwise try once for its fast path. Has to run before any parse.
z.config({ jitless: true });
