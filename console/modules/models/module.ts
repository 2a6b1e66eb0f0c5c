/** What is known of models and of those who make them. */
import { BrainCircuit, Factory } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'
import { withModelWords } from '../../ui/model-words/model-words.js'

const title = { en: 'Entries', zh: '模型条目' }
const vendors = { en: 'Vendors', zh: '供应商' }

export default defineModule({
  id: 'models',
  routes: [
    {
      path: '/model-entries',
      name: 'model-entries',
      title,
      frame: 'app',
      role: 10,
      page: () => withModelWords(import('./entries/models-page.vue')),
    },
    {
      path: '/vendors',
      name: 'vendors',
      formerly: ['/models/vendors'],
      title: vendors,
      frame: 'app',
      role: 10,
      page: () => import('./vendors/vendors-page.vue'),
    },
  ],
  menu: [
    {
      ...{ route: 'model-entries', title, icon: BrainCircuit, section: 'operate' },
      ...{ order: 60, role: 10, under: 'models' },
    },
    {
      ...{ route: 'vendors', title: vendors, icon: Factory, section: 'operate' },
      ...{ order: 70, role: 10, under: 'models' },
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
