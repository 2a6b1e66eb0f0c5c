import { noSystemTurns, rolesOfMessages, toolsAreAuto } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const zhipu: Vendor = {
  name: 'Zhipu',
  type: 26,
  models: ['glm-5.2'],
  rules: [
    toolsAreAuto({ source: 'github.com/vectorize-io/hindsight/issues/4246', read }),
    noSystemTurns(rolesOfMessages),
  ],
  takes: ['thinking'],
}

/** Another number of the same service. */
export const zhipuV3: Vendor = { ...zhipu, name: 'Zhipu, by its older number', type: 16 }
