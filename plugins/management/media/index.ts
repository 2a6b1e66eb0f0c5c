/** Media for the Playground: models that make them, what their requests may have, and what one would cost. */

import type { User } from '../../../kernel/contract/line/people.js'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { RequestField, Translations } from '../../../kernel/contract/manifest.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { quoteOf } from './quote.js'
import {
  type MediaModel,
  type ModelsQuery,
  mediaModels,
  modelsQuery,
  type PriceForm,
  priceForm,
  quoted,
} from './responses.js'
import { createServing, type Served } from './serving.js'

type MediaKit = Kit<
  | 'catalog'
  | 'providers'
  | 'operations'
  | 'channels'
  | 'routing'
  | 'pricing'
  | 'ledger'
  | 'model-registry'
>

export default function create({ services }: MediaKit): Management {
  const { ledger } = services
  const serving = createServing({ ...services, registry: services['model-registry'] })

  async function userOf(request: ManagementRequest): Promise<User> {
    const { userId, username, role, group } = signedIn(request)
    const walletId = (await ledger.wallets([userId])).get(userId)?.accountId ?? 0
    return { id: userId, username, role, group, walletId }
  }

  async function models(request: ManagementRequest<ModelsQuery>) {
    return listed(await serving.all(await userOf(request), request.query.group))
  }

  async function price(request: ManagementRequest<unknown, PriceForm>) {
    const user = await userOf(request)
    const { group, model, fields } = request.body
    const served = await serving.one(user, group, model)
    if (served === undefined) throw new Refusal('model_not_found', { model, param: 'model' })
    return quoteOf(served, user, fields, services)
  }

  return {
    routes: {
      models: { query: modelsQuery, response: mediaModels, handle: models },
      price: { body: priceForm, response: quoted, handle: price },
    },
  }
}

function listed(served: readonly Served[]) {
  const forms: (readonly RequestField[])[] = []
  const translations: Translations[] = []
  const models = served.map(({ model, operation, form }): MediaModel => {
    const known = forms.indexOf(form.fields)
    if (known >= 0) return { model, operation, form: known }
    translations.push(form.translations)
    return { model, operation, form: forms.push(form.fields) - 1 }
  })
  return { models, forms, translations }
}
