/** Set-up of the tests of the window: they wait for what is to come as long as those of the other projects. */
import { configure } from '@testing-library/react';

configure({ asyncUtilTimeout: 15_000 });
