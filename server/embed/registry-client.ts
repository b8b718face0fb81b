import { Agent, request } from 'undici';
import type { Packument, PublishedVersion } from './api.ts';
import type { PublishDocument } from './package-source.ts';

/**
 * Requests to the registry of this process. They use neither `fetch` nor `node:http`, which test runners put fakes in place of.
 */
export class RegistryClient {
  readonly #agent = new Agent();
  readonly #url: string;

  /** @param url address of the npm registry, with a slash at its end */
  constructor(url: string) {
    this.#url = url;
  }

  /** @throws Error with the registry's sentence, if it refuses. */
  async publish({ body, ...version }: PublishDocument, token: string): Promise<PublishedVersion> {
    const answer = await this.#send('PUT', version.name, token, body);
    if (answer.status === 200) return version;
    throw new Error(
      `The registry refused ${version.name}@${version.version} with ${answer.status}: ${sentenceOf(answer.text)}`,
    );
  }

  /** Undefined if there is none of that name. */
  async packument(name: string, token: string): Promise<Packument | undefined> {
    const { status, text } = await this.#send('GET', name, token);
    if (status === 404) return undefined;
    if (status === 200) return JSON.parse(text) as Packument;
    throw new Error(`The registry answered ${status} to a request for ${name}: ${sentenceOf(text)}`);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #send(
    method: 'GET' | 'PUT',
    name: string,
    token: string,
    body: string | null = null,
  ): Promise<{ status: number; text: string }> {
    const { statusCode, body: answer } = await request(`${this.#url}${encodeURIComponent(name)}`, {
      method,
      body,
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${token}`, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    });
    return { status: statusCode, text: await answer.text() };
  }
}

function sentenceOf(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    return [error, message].find((part) => typeof part === 'string') ?? text;
  } catch {
    return text;
  }
}
