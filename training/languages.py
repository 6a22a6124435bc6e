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
