/**
 * The models an account's plan has, as a client of this version is shown them: `{models: [{slug, visibility}]}`. Those that
 * are not to be listed are for the assistant's own use.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { UpstreamQuery } from '../../kernel/contract/provider.js'
import { objectsOf } from '../../kernel/toolkit/json/index.js'
import {
  fieldOfEach,
  type NamePage,
  readNames,
  upstreamUrl,
} from '../../kernel/toolkit/provider/index.js'
import { accountHeaders } from './call.js'
import { channelClient, versionOf } from './client.js'
import { fail } from './fail.js'

export const models: UpstreamQuery<readonly string[]> = {
  request: (channel, credentials) => ({
    method: 'GET',
    url: `${upstreamUrl(channel.baseUrl, '/backend-api/codex/models')}?client_version=${versionOf(channel)}`,
    headers: {
      accept: 'application/json',
      ...channelClient(channel),
      ...accountHeaders(credentials),
    },
  }),
  read: (answer) => readNames(answer, fail, pick),
}

function pick({ models: list }: JsonObject): NamePage | undefined {
  if (!Array.isArray(list)) return undefined
  const shown = objectsOf(list).filter(({ visibility = 'list' }) => visibility === 'list')
  return fieldOfEach(shown, 'slug')
}
