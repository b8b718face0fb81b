/** Something that is made when it is first asked for: most servers never use all they could. */
export class WhenNeeded<T> {
  readonly #make: () => T;
  #made: { readonly value: T } | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  get value(): T {
    this.#made ??= { value: this.#make() };
    return this.#made.value;
  }

  /** What was made; undefined if nobody asked so far. */
  get ifMade(): T | undefined {
    return this.#made?.value;
  }
}
