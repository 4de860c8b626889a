"""People in the address book, and the groups they are sorted into."""

from distrl.devices.phone.content.tables.reader import phrases

PEOPLE = phrases("""
    Amara Okonjo; Bjorn Halvorsen; Chiara Bellandi; Dmitri Volkonsky; Esperanza Quiroga
    Farid Rahmani; Giulia Montesi; Hiroshi Tanabe; Ingrid Solberg; Jamal Whitfield
    Kavita Deshpande; Lorenzo Castellan; Mei Zhang; Nadia Benchekroun; Oluwaseun Adeyemi
    Priya Raghunathan; Quentin Delacroix; Rosalind Hathaway; Santiago Arrieta; Tomasz Wisniewski
    Usha Patwardhan; Valentina Cardoso; Wanjiru Kamau; Xiomara Pineda; Yusuf Demirtas
    Zanele Mokoena; Anneke Vandermeer; Brandon Pickering; Camille Rousselot; Darius Farrokhzad
    Eilidh MacAllister; Finnegan Doyle; Gabriela Sepulveda; Henrik Lindqvist; Isabela Monteiro
    Jorge Villanueva; Katarina Horvat; Liam Cartwright; Malaika Njoroge; Nikolai Petrenko
    Orla Kinsella; Paolo Ferrante; Rania Haddad; Sven Bergstrom; Tariq Mansoori
    Ulrike Baumgartner; Viktor Szabo; Winston Bramwell; Yuki Nakahara; Zoltan Kerekes
    Aisha Siddiqui; Benedict Thornbury; Cora Winslow; Duncan Strathmore; Elif Yildirim
    Femi Olatunji; Greta Schwarzmann; Hassan Elbaz; Imani Wairimu; Jonas Kirkegaard
    Keiko Morishita; Leticia Barrientos; Marek Dvorsky; Noor Alfarsi; Oscar Lundgren
    Petra Novotna; Rafael Echeverria; Simone Laurent; Thandiwe Dlamini; Uma Krishnan
    Vera Kuznetsova; Wesley Carmichael; Ximena Zapata; Yara Khoury; Zachary Pemberton
    Anil Bhattarai; Beatriz Figueiredo; Callum Fairbairn; Delphine Marchand; Emeka Nwosu
    Freya Rasmussen; Goran Jovanovic; Hana Cerny; Ivo Todorov; Jasmine Fontaine
    Kwame Boateng; Linh Nguyen; Mateo Urrutia; Naomi Ashworth; Odile Beaumont
    Pedro Salgueiro; Ruth Abramowitz; Stefan Ionescu; Tala Macapagal; Umberto Galvani
    Violet Ravenscroft; Wei Huang; Yasmin Sharifi; Zofia Kowalczyk; Arjun Malhotra
    Bridget Callaghan; Cedric Lefebvre; Dalia Shalabi; Ewan Dunbar; Fatima Zahrani
    Gustavo Teixeira; Helga Sigurdsson; Ines Carvalho; Joaquin Mendieta; Kalani Kealoha
    Lucia Ferrer; Minjun Baek; Nia Llewellyn; Kacper Zielinski; Philippa Gainsford
    Rohan Wickramasinghe; Sakura Fujimoto; Tobias Eichhorn; Vivek Chaudhary; Anya Morozova
""")

CONTACT_GROUPS = phrases("""
    Close family; Cousins; Neighbors; Work team; Book club; Running crew; Choir; Old classmates
    Tennis partners; Board gamers; Parents group; Carpool; Gardeners; Band mates; Study circle
    Volunteers; Hiking buddies; Chess ladder; Landlords; Doctors; Tutors; Plumbers and electricians
    Roommates; Football squad; Night shift; Wedding guests; Summer camp; Dog walkers
    Startup friends; Language exchange; Clients; Suppliers; Emergency numbers; Photography circle
    Swim coaches
""")
