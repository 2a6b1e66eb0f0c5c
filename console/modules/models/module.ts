/** What is known of models and of those who make them. */
import { BrainCircuit } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Models', zh: '模型' }

export default defineModule({
  id: 'models',
  routes: [
    {
      path: '/models',
      name: 'models',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./entries/models-page.vue'),
    },
    {
      path: '/models/vendors',
      name: 'models.vendors',
      title: { en: 'Vendors', zh: '供应商' },
      frame: 'app',
      role: 10,
      page: () => import('./vendors/vendors-page.vue'),
    },
  ],
  menu: [{ route: 'models', title, icon: BrainCircuit, section: 'operate', order: 40, role: 10 }],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
