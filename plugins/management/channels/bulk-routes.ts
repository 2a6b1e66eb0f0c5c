/** Routes that change many channels at once; each returns how many it found. */
import type { ManagementRequest, ManagementRoute } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Channels, TagChanges } from '../../services/channels/index.js'
import {
  type IdsStatusForm,
  type IdsTagForm,
  idsStatusForm,
  idsTagForm,
  type TagForm,
  tagChanges,
  tagForm,
  tagQuery,
} from './bulk-forms.js'
import { adminName } from './caller.js'
import { noSuchTag } from './refusals.js'
import { foundCount, modelsOfTag as modelsOfTagForm } from './responses.js'
import { modelsOfTag as modelsOf } from './tag-models.js'

interface BulkServices {
  readonly database: Database
  readonly channels: Channels
}

export function bulkRoutes({
  database,
  channels: { edits },
}: BulkServices): Readonly<Record<string, ManagementRoute>> {
  function setStatuses(request: ManagementRequest<unknown, IdsStatusForm>) {
    const { ids, status } = request.body
    return edits.setStatus({ ids }, status, adminName(request))
  }

  function setTag({ body }: ManagementRequest<unknown, IdsTagForm>) {
    return edits.setTag({ ids: body.ids }, body.tag)
  }

  function changeTag({ body }: ManagementRequest<unknown, TagChanges>) {
    return edits.changeTag(body)
  }

  const switchTag = (status: 1 | 2) => async (request: ManagementRequest<unknown, TagForm>) => {
    const { tag } = request.body
    return (await edits.setStatus({ tag }, status, adminName(request))) || noSuchTag()
  }

  async function modelsOfTag({ query }: ManagementRequest<TagForm>) {
    return (await modelsOf(database.knex, query.tag)).join(',')
  }

  return {
    setStatuses: { body: idsStatusForm, response: foundCount, handle: setStatuses },
    removeDisabled: { response: foundCount, handle: () => edits.remove({ off: true }) },
    setTag: { body: idsTagForm, response: foundCount, handle: setTag },
    changeTag: { body: tagChanges, response: foundCount, handle: changeTag },
    enableTag: { body: tagForm, response: foundCount, handle: switchTag(1) },
    disableTag: { body: tagForm, response: foundCount, handle: switchTag(2) },
    modelsOfTag: { query: tagQuery, response: modelsOfTagForm, handle: modelsOfTag },
  }
}
