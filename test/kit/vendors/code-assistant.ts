/** The service behind ChatGPT's code assistant: the responses format, less what an account that signed in may not say. */
import { accessToken, sessionKey } from '../../providers/code-assistant-session.js'
import { listIn } from '../vendor.js'
import { refuses, rule } from './rules.js'
import type { Vendor } from './vendor.js'

const read = '2026-11-27'

export const codeAssistant: Vendor = {
  name: 'Code assistant',
  type: 57,
  key: sessionKey({ access_token: accessToken(4_000_000_000_000) }),
  models: ['gpt-5.6-sol', 'gpt-5.5'],
  answers: 'streamed',
  rules: [
    rule(
      'Stream must be set to true',
      { source: 'github.com/tinyhumansai/openhuman/pull/4068', read },
      ({ stream }) => stream !== true,
    ),
    rule(
      'Store must be set to false',
      { source: 'github.com/openai/codex/issues/26173', read },
      ({ store }) => store !== false,
    ),
    rule(
      'Instructions are required',
      { source: 'github.com/vybestack/llxprt-code/issues/1197', read },
      ({ instructions }) => typeof instructions !== 'string' || instructions === '',
    ),
    rule(
      'System messages are not allowed',
      {
        source: 'github.com/BerriAI/litellm/pull/23698, github.com/zyycn/codex-proxy-rs/pull/172',
        read,
      },
      (body) => listIn(body, 'input').some(({ role }) => role === 'system'),
    ),
    rule(
      'Input must be a list',
      { source: 'github.com/openai/codex (codex-rs/codex-api)', read: '2026-11-21' },
      ({ input }) => !Array.isArray(input),
    ),
    refuses(['max_output_tokens', 'truncation', 'prompt_cache_retention', 'prompt_cache_options'], {
      source:
        'github.com/tinyhumansai/openhuman/pull/4068, github.com/coder/xum/pull/2256, github.com/nextlevelbuilder/goclaw/issues/1341, github.com/router-for-me/CLIProxyAPI/issues/4915',
      read,
    }),
    refuses(['temperature', 'top_p', 'metadata', 'user', 'safety_identifier'], {
      source: 'github.com/openai/codex/issues/3202, 6698, 17815, 39442',
      read: '2026-11-21',
    }),
  ],
}
