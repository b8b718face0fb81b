/** Lets concurrent callers of one thing share one piece of work. */
export class SingleFlight<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** Runs `work`, or joins the run of the same key that is under way. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const present = this.#underWay.get(key);
    if (present) return present;
    const running = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, running);
    return running;
  }
}
