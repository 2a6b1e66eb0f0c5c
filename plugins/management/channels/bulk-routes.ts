/** Routes that change many channels at once; each answers how many it found. */
import type { ManagementRequest, ManagementRoute } from '../../../kernel/contract/management.js'
import {
  type IdsForm,
  type IdsStatusForm,
  type IdsTagForm,
  idsForm,
  idsStatusForm,
  idsTagForm,
  type TagChanges,
  type TagForm,
  tagChanges,
  tagForm,
  tagQuery,
} from './bulk-forms.js'
import { adminName } from './caller.js'
import { foundCount, modelsOfTag as modelsOfTagForm } from './responses.js'
import { someOf, switchedOff, withIds, withTag } from './store/bulk.js'
import type { ChannelStore } from './store/channel-store.js'

export function bulkRoutes(store: ChannelStore): Readonly<Record<string, ManagementRoute>> {
  function setStatuses(request: ManagementRequest<unknown, IdsStatusForm>) {
    const { ids, status } = request.body
    return store.setStatus(withIds(ids), status, store.terms(adminName(request)))
  }

  function removeIds({ body }: ManagementRequest<unknown, IdsForm>) {
    return store.remove(withIds(body.ids))
  }

  function setTag({ body }: ManagementRequest<unknown, IdsTagForm>) {
    return store.setTag(withIds(body.ids), body.tag)
  }

  function changeTag({ body }: ManagementRequest<unknown, TagChanges>) {
    return store.changeTag(body)
  }

  const switchTag = (status: 1 | 2) => async (request: ManagementRequest<unknown, TagForm>) => {
    const dependencies = store.terms(adminName(request))
    return someOf(await store.setStatus(withTag(request.body.tag), status, dependencies))
  }

  async function modelsOfTag({ query }: ManagementRequest<TagForm>) {
    return (await store.modelsOf(query.tag)).join(',')
  }

  return {
    setStatuses: { body: idsStatusForm, response: foundCount, handle: setStatuses },
    removeIds: { body: idsForm, response: foundCount, handle: removeIds },
    removeDisabled: { response: foundCount, handle: () => store.remove(switchedOff) },
    setTag: { body: idsTagForm, response: foundCount, handle: setTag },
    changeTag: { body: tagChanges, response: foundCount, handle: changeTag },
    enableTag: { body: tagForm, response: foundCount, handle: switchTag(1) },
    disableTag: { body: tagForm, response: foundCount, handle: switchTag(2) },
    modelsOfTag: { query: tagQuery, response: modelsOfTagForm, handle: modelsOfTag },
  }
}
