import { z } from 'zod';
import { memberLevels, visibilities } from '../../contract/constants.ts';

/*
 * The bodies of answers and requests, for the OpenAPI document. Presenters take their types from here and do not load these files; no answer
 * is parsed, but the conformance suite compares each with its schema.
 */

export const id = z.int();
export const moment = z.string().meta({ format: 'date-time' });
export const day = z.string().meta({ format: 'date' });
export const visibility = z.enum(visibilities);
export const memberLevel = z.literal([...memberLevels]).meta({
  description: '10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner',
});
