import type { EventPayload, EventTopic } from '../contract/events.ts';

/** A change that is on disk, numbered in the order in which changes happened since the start. */
export type RegistryEvent = {
  [T in EventTopic]: { readonly seq: number; readonly topic: T; readonly payload: EventPayload<T> };
}[EventTopic];

/** Reports every change to its subscribers: windows, caches, notifications. */
export class EventBus {
  readonly #listeners = new Set<(event: RegistryEvent) => void>();
  #seq = 0;

  /** @returns a function that ends the subscription. A listener must not throw. */
  subscribe(listener: (event: RegistryEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish<T extends EventTopic>(topic: T, payload: EventPayload<T>): void {
    this.#seq += 1;
    const event = { seq: this.#seq, topic, payload } as RegistryEvent;
    for (const listener of this.#listeners) listener(event);
  }
}
