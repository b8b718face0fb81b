import { GatehouseError } from '../../contract/errors.ts';

/** A complaint of the parameter layer, which GitLab tells under the key `error` rather than `message`. */
export class ParameterError extends GatehouseError {
  constructor(message: string) {
    super('invalid_request', message);
    this.name = 'ParameterError';
  }
}
