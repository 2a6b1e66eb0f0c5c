/** Groups: what the same model costs whom, and who may go where. */
import { Boxes } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Groups', zh: '分组' }

export default defineModule({
  id: 'groups',
  routes: [
    {
      path: '/groups',
      name: 'groups',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./groups-page.vue'),
    },
  ],
  menu: [
    {
      route: 'groups',
      title,
      icon: Boxes,
      section: 'operate',
      order: 20,
      role: 10,
      under: 'channels',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
