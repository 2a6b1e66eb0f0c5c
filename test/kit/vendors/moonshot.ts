import { isRecord, listIn, objectsWithin } from '../vendor.js'
import { noSystemTurns, resultsHaveThoughts, rolesOfMessages, rule, toolTypesAre } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const moonshot: Vendor = {
  name: 'Moonshot',
  type: 25,
  models: ['kimi-k2.6', 'kimi-k3'],
  rules: [
    noSystemTurns(rolesOfMessages),
    rule(
      'thinking is enabled, but only these values are allowed: temperature 1, top_p 0.95',
      {
        models: /kimi-k2\.[56]/,
        source:
          'github.com/odysseus-dev/odysseus/issues/3959, github.com/CherryHQ/cherry-studio/pull/12731',
        read,
      },
      ({ temperature = 1, top_p = 0.95 }) => temperature !== 1 || top_p !== 0.95,
    ),
    resultsHaveThoughts({
      source: 'github.com/MoonshotAI/Kimi-K2.5/issues/13, github.com/openclaw/openclaw/pull/59689',
      read,
    }),
    rule(
      'tools.function.parameters is not a valid moonshot flavored json schema: when using anyOf, type should be defined in anyOf items instead of the parent schema',
      {
        source:
          'github.com/MoonshotAI/kimi-code/issues/2661, github.com/XiaomiMiMo/MiMo-Code/pull/1665',
        read,
      },
      (body) =>
        objectsWithin(listIn(body, 'tools')).some(
          (one) => Array.isArray(one.anyOf) && one.type !== undefined,
        ),
    ),
    rule(
      "tool_choice 'specified' is incompatible with thinking enabled",
      { source: 'github.com/UKGovernmentBEIS/inspect_ai/pull/5152', read },
      ({ tool_choice: choice, thinking }) =>
        isRecord(choice) &&
        choice.type !== 'auto' &&
        !(isRecord(thinking) && thinking.type === 'disabled'),
    ),
    toolTypesAre(['function', 'web_search'], {
      source: 'github.com/router-for-me/CLIProxyAPI/issues/5647 (items of tool searches)',
      read,
    }),
  ],
  takes: ['thinking'],
}
