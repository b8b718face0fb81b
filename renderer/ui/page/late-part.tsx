import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/** Milliseconds after which a busy page waits no longer. */
const patience = 500;

/** Runs `work` when the window has been painted and has time. Returns the function that calls it off. */
export function afterFirstPaint(work: () => void): () => void {
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    const idle = requestIdleCallback(work, { timeout: patience });
    callOff = () => cancelIdleCallback(idle);
  });
  let callOff = (): void => observer.disconnect();
  observer.observe({ type: 'paint', buffered: true });
  return () => callOff();
}

interface LateProps {
  /** Shown until the code is there. */
  fallback?: ReactNode;
  /** Loads it at once. */
  isWanted?: boolean;
}

/**
 * A component that the first paint does without: its code is loaded after it. Not by `lazy`, which shows even a module that is there one
 * turn later, so that letters typed in between are lost, and which throws while the first screen is drawn: with a debugger attached, V8
 * reads the whole script again to name the place.
 */
export function latePart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props & LateProps) => ReactNode {
  let loaded: ComponentType<Props> | undefined;
  return function LatePart(props) {
    const { fallback = null, isWanted = false } = props;
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (loaded !== undefined) return undefined;
      const show = async (): Promise<void> => {
        loaded = (await load()).default;
        setPart(() => loaded);
      };
      if (!isWanted) return afterFirstPaint(() => void show());
      void show();
      return undefined;
    }, [isWanted]);
    return Part === undefined ? fallback : <Part {...props} />;
  };
}
