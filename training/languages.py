"""Sentences in other languages, so that their sounds do not break the mouth; by espeak-ng's voice."""

SENTENCES = {
    "roa/es": """Buenos días, me llamo Pablo y vivo cerca de la playa.
Mi hermana compró pan, fruta y una botella de agua.
El tren para Barcelona sale a las siete y media.
¿Puedes ayudarme a buscar mis llaves, por favor?
Me gusta mucho la música, sobre todo por la mañana.
Los niños juegan en el jardín con un perro pequeño.
Hoy hace buen tiempo, pero mañana va a llover.
Muchas gracias por todo y hasta la próxima semana.
Ese jueves vimos una película bastante aburrida.
El jefe dijo que llegará tarde a la reunión.
Quiero una mesa para dos personas cerca de la ventana.
Siempre bebo un poco de leche antes de dormir.""".split("\n"),
    "roa/fr": """Bonjour, je m'appelle Marie et j'habite près du pont.
Mon frère a acheté du pain, du beurre et des pommes.
Le train pour Paris part à sept heures et demie.
Pouvez-vous m'aider à trouver mes clés, s'il vous plaît ?
J'aime beaucoup la musique, surtout le matin.
Les enfants jouent dans le jardin avec un petit chien.
Aujourd'hui il fait beau, mais demain il va pleuvoir.
Merci beaucoup pour tout et à la semaine prochaine.
Jeudi soir nous avons vu un film plutôt ennuyeux.
Le chef a dit qu'il arrivera un peu plus tard.
Je voudrais une table pour deux près de la fenêtre.
Une bonne soupe chaude me ferait vraiment plaisir.""".split("\n"),
    "roa/it": """Buongiorno, mi chiamo Paolo e abito vicino al mare.
Mia sorella ha comprato pane, frutta e una bottiglia d'acqua.
Il treno per Bologna parte alle sette e mezza.
Puoi aiutarmi a cercare le chiavi, per favore?
Mi piace molto la musica, soprattutto la mattina.
I bambini giocano nel giardino con un piccolo cane.
Oggi fa bel tempo, ma domani pioverà.
Grazie mille di tutto e alla prossima settimana.
Giovedì sera abbiamo visto un film piuttosto noioso.
Vorrei un tavolo per due vicino alla finestra.
Il gatto dorme sempre sopra il vecchio armadio.
Gli spaghetti con le vongole sono la mia passione.""".split("\n"),
    "gmw/de": """Guten Morgen, ich heiße Jürgen und wohne am Fluss.
Meine Schwester hat Brot, Äpfel und eine Flasche Milch gekauft.
Der Zug nach Berlin fährt um halb acht ab.
Können Sie mir bitte helfen, meine Schlüssel zu finden?
Ich mag Musik sehr gern, vor allem am Morgen.
Die Kinder spielen mit einem kleinen Hund im Garten.
Heute ist schönes Wetter, aber morgen wird es regnen.
Vielen Dank für alles und bis nächste Woche.
Am Donnerstag haben wir einen langweiligen Film gesehen.
Ich möchte einen Tisch für zwei Personen am Fenster.
Über den Wolken muss die Freiheit wohl grenzenlos sein.
Fünf weiße Vögel fliegen über das wilde Feld.""".split("\n"),
    "roa/pt-BR": """Bom dia, meu nome é Paula e moro perto da praia.
Minha irmã comprou pão, frutas e uma garrafa de leite.
O trem para São Paulo sai às sete e meia.
Você pode me ajudar a procurar as chaves, por favor?
Gosto muito de música, principalmente de manhã.
As crianças brincam no jardim com um cachorro pequeno.
Hoje o tempo está bom, mas amanhã vai chover.
Muito obrigado por tudo e até a próxima semana.
Na quinta-feira vimos um filme bastante chato.
Queria uma mesa para dois perto da janela.""".split("\n"),
    "zlw/pl": """Dzień dobry, mam na imię Basia i mieszkam blisko rzeki.
Moja siostra kupiła chleb, jabłka i butelkę mleka.
Pociąg do Warszawy odjeżdża o wpół do ósmej.
Czy możesz mi pomóc znaleźć klucze, proszę?
Bardzo lubię muzykę, szczególnie rano.
Dzieci bawią się w ogrodzie z małym psem.
Dzisiaj jest ładna pogoda, ale jutro będzie padać.
Dziękuję bardzo za wszystko i do zobaczenia.
W czwartek widzieliśmy dość nudny film.
Poproszę stolik dla dwóch osób przy oknie.""".split("\n"),
    "trk/tr": """Günaydın, benim adım Pınar ve nehrin yanında oturuyorum.
Kız kardeşim ekmek, elma ve bir şişe süt aldı.
Ankara treni yedi buçukta kalkıyor.
Anahtarlarımı bulmama yardım eder misiniz, lütfen?
Müziği çok severim, özellikle sabahları.
Çocuklar bahçede küçük bir köpekle oynuyor.
Bugün hava güzel ama yarın yağmur yağacak.
Her şey için çok teşekkürler, haftaya görüşürüz.""".split("\n"),
}

# Sentences that training never hears: others in the same languages, and two languages that it never hears.
HELD_OUT = {
    "roa/es": """¿Dónde está la parada del autobús más cercana?
Mi abuela prepara la mejor sopa de pescado del pueblo.
No encuentro el billete que compré ayer por la tarde.
Este verano viajaremos en barco hasta una isla pequeña.
El médico me recomendó beber más agua y caminar despacio.
Perdone, ¿me puede traer la cuenta y un café con leche?
Vamos a pintar la pared de azul y la puerta de blanco.
El profesor explicó el problema tres veces.
Cuando era joven, tocaba el piano todos los domingos.
Creo que se me olvidó el paraguas en la biblioteca.
Las montañas se ven muy bien desde la ventana del hotel.
Por fin terminé de leer aquel libro tan largo.""".split("\n"),
    "roa/fr": """Où se trouve l'arrêt de bus la plus proche ?
Ma grand-mère prépare la meilleure soupe de poisson du village.
Je ne trouve plus le billet que j'ai acheté hier après-midi.
Cet été, nous partons en bateau vers une petite île.
Le médecin m'a conseillé de boire plus d'eau.
Excusez-moi, pouvez-vous m'apporter l'addition et un café ?
On va peindre le mur en bleu et la porte en blanc.
Le professeur a expliqué le problème trois fois.
Quand j'étais jeune, je jouais du piano tous les dimanches.
Je crois que j'ai oublié mon parapluie à la bibliothèque.
Les montagnes se voient très bien depuis la chambre.
J'ai enfin fini de lire ce livre beaucoup trop long.""".split("\n"),
    "roa/it": """Dove si trova la fermata dell'autobus più vicina?
Mia nonna prepara la migliore zuppa di pesce del paese.
Non trovo più il biglietto che ho comprato ieri pomeriggio.
Quest'estate andremo in barca fino a una piccola isola.
Il medico mi ha consigliato di bere più acqua.
Scusi, può portarmi il conto e un caffè macchiato?
Dipingeremo la parete di blu e la porta di bianco.
Il professore ha spiegato il problema tre volte.
Da giovane suonavo il pianoforte tutte le domeniche.
Credo di aver dimenticato l'ombrello in biblioteca.
Le montagne si vedono benissimo dalla camera d'albergo.
Finalmente ho finito di leggere quel libro lunghissimo.""".split("\n"),
    "gmw/de": """Wo ist die nächste Haltestelle für den Bus?
Meine Oma kocht die beste Fischsuppe im ganzen Dorf.
Ich finde die Fahrkarte nicht mehr, die ich gestern gekauft habe.
Im Sommer fahren wir mit dem Boot auf eine kleine Insel.
Der Arzt hat mir empfohlen, mehr Wasser zu trinken.
Entschuldigung, bringen Sie mir bitte die Rechnung und einen Kaffee?
Wir malen die Wand blau und die Tür weiß an.
Der Lehrer hat die schwierige Aufgabe dreimal erklärt.
Als ich jung war, habe ich jeden Sonntag Klavier gespielt.
Ich glaube, ich habe meinen Schirm in der Bibliothek vergessen.
Vom Hotelzimmer aus sieht man die Berge sehr gut.
Endlich habe ich dieses viel zu lange Buch ausgelesen.""".split("\n"),
    "roa/pt-BR": """Onde fica o ponto de ônibus mais próximo?
Minha avó prepara a melhor sopa de peixe da cidade.
Não encontro a passagem que comprei ontem à tarde.
Neste verão vamos de barco até uma ilha pequena.
O médico me disse para beber mais água e caminhar devagar.
Com licença, pode me trazer a conta e um café com leite?
Vamos pintar a parede de azul e a porta de branco.
O professor explicou o problema três vezes.
Quando era jovem, eu tocava piano todos os domingos.
Acho que esqueci o guarda-chuva na biblioteca.
Do quarto do hotel dá para ver bem as montanhas.
Finalmente terminei de ler aquele livro tão comprido.""".split("\n"),
    "zlw/pl": """Gdzie jest najbliższy przystanek autobusowy?
Moja babcia gotuje najlepszą zupę rybną w całej wsi.
Nie mogę znaleźć biletu, który kupiłem wczoraj po południu.
Latem popłyniemy łodzią na małą wyspę.
Lekarz poradził mi pić więcej wody i wolniej chodzić.
Przepraszam, czy mogę prosić o rachunek i kawę z mlekiem?
Pomalujemy ścianę na niebiesko, a drzwi na biało.
Nauczyciel wyjaśnił to zadanie trzy razy.
Kiedy byłem młody, w każdą niedzielę grałem na pianinie.
Chyba zostawiłam parasol w bibliotece.
Z pokoju w hotelu bardzo dobrze widać góry.
Wreszcie przeczytałem tę bardzo długą książkę.""".split("\n"),
    "trk/tr": """En yakın otobüs durağı nerede?
Büyükannem köyün en güzel balık çorbasını pişirir.
Dün öğleden sonra aldığım bileti bulamıyorum.
Bu yaz tekneyle küçük bir adaya gideceğiz.
Doktor bana daha çok su içmemi söyledi.
Affedersiniz, hesabı ve bir bardak çay getirir misiniz?
Duvarı maviye, kapıyı beyaza boyayacağız.
Öğretmen soruyu üç kere açıkladı.
Gençken her pazar günü piyano çalardım.
Galiba şemsiyemi kütüphanede unuttum.
Otelin penceresinden dağlar çok iyi görünüyor.
Sonunda o uzun kitabı okuyup bitirdim.""".split("\n"),
    "gmw/nl": """Goedemorgen, ik heet Pieter en ik woon vlak bij de brug.
Mijn moeder heeft brood, boter en een fles melk gekocht.
De trein naar Amsterdam vertrekt om half acht.
Kunt u mij misschien helpen mijn sleutels te vinden?
Ik hou erg van muziek, vooral in de ochtend.
De kinderen spelen met een kleine hond in de tuin.
Vandaag is het mooi weer, maar morgen gaat het regenen.
Waar is de dichtstbijzijnde bushalte?
Mijn oma maakt de beste vissoep van het hele dorp.
Ik denk dat ik mijn paraplu in de bibliotheek heb laten liggen.
We gaan de muur blauw verven en de deur wit.
Bedankt voor alles en tot volgende week.""".split("\n"),
    "gmq/sv": """God morgon, jag heter Pia och jag bor nära bron.
Min mamma har köpt bröd, smör och en flaska mjölk.
Tåget till Malmö går klockan halv åtta.
Kan du hjälpa mig att hitta mina nycklar?
Jag tycker mycket om musik, särskilt på morgonen.
Barnen leker med en liten hund i trädgården.
I dag är det fint väder, men i morgon ska det regna.
Var ligger närmaste busshållplats?
Min mormor lagar byns allra bästa fisksoppa.
Jag tror att jag glömde mitt paraply på biblioteket.
Vi ska måla väggen blå och dörren vit.
Tack så mycket för allt och vi ses nästa vecka.""".split("\n"),
}
