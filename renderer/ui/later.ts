import { createElement, useEffect, useState, type ComponentType } from 'react';
import { whenIdle } from './when-idle.ts';

/**
 * A component that is loaded once the page has drawn what it had to, and is nothing until then. In place of `lazy`, for what nobody sees at
 * first: that interrupts the first rendering to wait, and V8 reads a large part of the script again to say where.
 */
export function later<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  return function Later(props: Props) {
    const [module, setModule] = useState<{ readonly default: ComponentType<Props> }>();
    useEffect(() => {
      let isGone = false;
      void whenIdle()
        .then(load)
        .then((loaded) => {
          if (!isGone) setModule(loaded);
        });
      return () => {
        isGone = true;
      };
    }, []);
    return module ? createElement(module.default, props) : null;
  };
}
