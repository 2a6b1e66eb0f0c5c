/** New plugins of the kinds that are not in `plugin-new.test.ts`. */
import { scaffoldKinds } from '../../config/cli/plugin-new.js'
import { testNew } from './made-plugins.js'

testNew(scaffoldKinds.slice(3))
